package fields;

public class Account {
    public static final int LIMIT = 1000;
    private /*@ spec_public @*/ int balance;
    private /*@ spec_public @*/ int moves;
    private final /*@ spec_public @*/ String owner;

    //@ public invariant 0 <= balance && balance <= LIMIT;
    //@ public invariant moves >= 0;
    //@ public constraint moves >= \old(moves);

    /*@ public normal_behavior
      @   requires 0 <= start && start <= LIMIT;
      @   ensures balance == start && moves == 0 && this.owner == owner;
      @   assignable balance, moves, this.owner;
      @*/
    public Account(String owner, int start) {
        this.owner = owner;
        this.balance = start;
    }

    /*@ public normal_behavior
      @   requires 0 < amount && balance + amount <= LIMIT;
      @   assignable balance, moves;
      @   ensures balance == \old(balance) + amount && moves == \old(moves) + 1;
      @ also public exceptional_behavior
      @   requires amount <= 0;
      @   assignable \nothing;
      @   signals_only IllegalArgumentException;
      @ also public exceptional_behavior
      @   requires amount > 0 && balance + amount > LIMIT;
      @   assignable \nothing;
      @   signals_only IllegalStateException;
      @*/
    public void deposit(int amount) {
        if (amount <= 0) throw new IllegalArgumentException("amount");
        if (amount > LIMIT - balance) throw new IllegalStateException("full");
        balance += amount;
        moves++;
    }

    /*@ public behavior
      @   requires amount >= 0;
      @   assignable balance, moves;
      @   ensures \result <==> amount <= \old(balance);
      @   ensures \result ==> balance == \old(balance) - amount && moves == \old(moves + 1);
      @   ensures !\result ==> balance == \old(balance) && moves == \old(moves);
      @   signals (Exception e) false;
      @*/
    public boolean withdraw(int amount) {
        if (amount > balance) return false;
        balance -= amount;
        moves++;
        return true;
    }

    /*@ requires to != this;
      @ requires 0 < amount && amount <= balance && to.balance + amount <= LIMIT;
      @ ensures balance == \old(balance) - amount && to.balance == \old(to.balance) + amount;
      @ ensures moves == \old(moves) + 1 && to.moves == \old(to.moves) + 1;
      @ assignable balance, to.balance, moves, to.moves;
      @*/
    public void transfer(Account to, int amount) {
        withdraw(amount);
        to.deposit(amount);
    }

    //@ ensures \result == balance;
    public /*@ pure @*/ int balance() { return balance; }

    //@ ensures \result == owner;
    public /*@ pure @*/ String owner() { return owner; }

    //@ ensures \result == (balance > other.balance ? this : other);
    public /*@ pure @*/ Account richer(Account other) { return balance > other.balance ? this : other; }
}
