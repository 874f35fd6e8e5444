package till;

/** Money that somebody carries, in cents. */
public final class Purse {
    private /*@ spec_public @*/ int cents;

    //@ public invariant 0 <= cents;

    /*@ requires 0 <= cents;
      @ assignable \nothing;
      @ ensures this.cents == cents;
      @*/
    public Purse(int cents) {
        this.cents = cents;
    }

    public /*@ pure @*/ int cents() {
        return cents;
    }

    /** Takes money out, or fails and takes none. */
    /*@ public normal_behavior
      @   requires 0 <= amount && amount <= cents;
      @   assignable cents;
      @   ensures cents == \old(cents) - amount;
      @ also
      @ public exceptional_behavior
      @   requires amount > cents;
      @   assignable \nothing;
      @   signals_only IllegalArgumentException;
      @   signals (IllegalArgumentException e) cents == \old(cents);
      @*/
    public void take(int amount) {
        if (amount > cents) {
            throw new IllegalArgumentException("not enough money");
        }
        cents -= amount;
    }

    /** Moves money; from a purse to itself nothing changes. */
    /*@ requires 0 <= amount && amount <= cents && other.cents <= 1000000000 && cents <= 1000000000;
      @ assignable cents, other.cents;
      @ ensures cents == (this == other ? \old(cents) : \old(cents) - amount);
      @ ensures other.cents == (this == other ? \old(other.cents) : \old(other.cents) + amount);
      @*/
    public void moveTo(Purse other, int amount) {
        take(amount);
        other.cents += amount;
    }
}
