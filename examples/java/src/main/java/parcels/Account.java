package parcels;

/** Prepaid money of a customer, in cents, and how many parcels were paid from it this month. */
public final class Account {
    private /*@ spec_public @*/ int balance;
    private /*@ spec_public @*/ int payments;

    //@ public invariant balance >= 0;

    public /*@ pure @*/ int balance() {
        return balance;
    }

    public /*@ pure @*/ int payments() {
        return payments;
    }

    /** Adds money. */
    /*@ requires 0 < cents && cents <= 100000 && balance <= 1000000;
      @ assignable balance;
      @ ensures balance == \old(balance) + cents;
      @*/
    public void load(int cents) {
        balance += cents;
    }

    /** Takes money for one parcel, or fails and takes none. */
    /*@ public normal_behavior
      @   requires 0 < cents && cents <= balance && payments < 1000;
      @   assignable balance, payments;
      @   ensures balance == \old(balance) - cents;
      @   ensures payments == \old(payments) + 1;
      @ also
      @ public exceptional_behavior
      @   requires cents > balance;
      @   assignable \nothing;
      @   signals_only IllegalArgumentException;
      @   signals (IllegalArgumentException e) balance == \old(balance);
      @*/
    public void pay(int cents) {
        if (cents > balance) {
            throw new IllegalArgumentException("not enough money");
        }
        balance -= cents;
        payments++;
    }

    /** Starts a new month. */
    //@ ensures payments == 0;
    public void startMonth() {
        payments = 0;
    }
}
