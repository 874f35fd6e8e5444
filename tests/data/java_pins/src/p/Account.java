package p;

public abstract class Account {
    static final int LIMIT = 100;
    static int opened;

    static {
        opened = 10;
    }

    protected long balance;
    private Account next;
    final String owner;

    protected Account(String owner) {
        this.owner = owner;
        opened++;
    }
    public abstract long fee(long amount);
    public long withdraw(long amount) throws Overdrawn {
        long cost = amount + fee(amount);
        try {
            if (cost > balance) throw new Overdrawn(cost - balance);
            balance -= cost;
        } finally {
            log++;
        }
        return balance;
    }
    int log;
    public Account deposit(long amount) {
        if (amount <= 0 || amount > LIMIT) throw new IllegalArgumentException("amount " + amount);
        balance += amount;
        return this;
    }
    public void link(Account other) { next = other; }
    public Account next() { return next; }
    public static boolean richer(Account a, Account b) { return a.balance > b.balance; }

    public static class Overdrawn extends Exception {
        private final long by;
        public Overdrawn(long by) { this.by = by; }
        public long by() { return by; }
    }

    public static class Plain extends Account {
        public Plain(String owner) { super(owner); }
        @Override public long fee(long amount) { return amount / 10; }
    }

    public static class Free extends Plain {
        private final boolean always;
        public Free(String owner, boolean always) {
            super(owner);
            this.always = always;
        }
        @Override public long fee(long amount) { return always || amount > 50 ? 0 : super.fee(amount); }
    }
}
