package parcels;

/** A wall of boxes, each with the number of the parcel that lies in it, or 0. */
public final class Station {
    private /*@ spec_public @*/ final int[] boxes;

    public Station(int size) {
        boxes = new int[size];
    }

    public /*@ pure @*/ boolean isEmpty(int box) {
        return boxes[box] == 0;
    }

    /** Puts a parcel into an empty box. */
    /*@ public normal_behavior
      @   requires 0 <= box && box < boxes.length && parcel > 0;
      @   requires isEmpty(box);
      @   assignable boxes[box];
      @   ensures boxes[box] == parcel;
      @ also
      @ public exceptional_behavior
      @   requires 0 <= box && box < boxes.length && parcel > 0;
      @   requires !isEmpty(box);
      @   assignable \nothing;
      @   signals_only IllegalStateException;
      @*/
    public void put(int box, int parcel) {
        if (!isEmpty(box)) {
            throw new IllegalStateException("box " + box + " is taken");
        }
        boxes[box] = parcel;
    }

    /** The box in which a parcel lies, or -1. */
    /*@ requires parcel > 0;
      @ ensures \result != -1 ==> 0 <= \result && \result < boxes.length && boxes[\result] == parcel;
      @ ensures \result == -1 ==> (\forall int i; 0 <= i && i < boxes.length; boxes[i] != parcel);
      @*/
    public /*@ pure @*/ int find(int parcel) {
        for (int i = 0; i < boxes.length; i++) {
            if (boxes[i] == parcel) {
                return i;
            }
        }
        return -1;
    }

    /** How many boxes are empty. */
    //@ ensures 0 <= \result && \result <= boxes.length;
    public /*@ pure @*/ int emptyBoxes() {
        int empty = 0;
        for (int box : boxes) {
            if (box == 0) {
                empty++;
            }
        }
        return empty;
    }
}
