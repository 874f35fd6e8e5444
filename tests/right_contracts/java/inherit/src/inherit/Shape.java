package inherit;

public interface Shape {
    //@ public instance model int side;

    //@ ensures \result >= 0;
    /*@ pure @*/ int area();

    /*@ requires k > 0;
      @ ensures \result.area() == k * k * area();
      @ assignable \nothing; @*/
    Shape scaled(int k);
}
