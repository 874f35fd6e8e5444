package inherit;

public class Square implements Shape {
    protected final /*@ spec_protected @*/ int edge;

    //@ public invariant edge >= 0;

    //@ requires edge >= 0;
    //@ ensures this.edge == edge;
    //@ assignable this.edge;
    public Square(int edge) { this.edge = edge; }

    /*@ also ensures \result == edge * edge; @*/
    @Override public /*@ pure @*/ int area() { return edge * edge; }

    /*@ also
      @ requires k > 0;
      @ ensures \fresh(\result) && \result instanceof Square && ((Square) \result).edge == k * edge;
      @ assignable \nothing; @*/
    @Override public Square scaled(int k) { return new Square(k * edge); }
}
