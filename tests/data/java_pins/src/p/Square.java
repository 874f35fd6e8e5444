package p;

public class Square implements Shape {
    private final int side;

    Square(int side) {
        this.side = side;
    }
    @Override public int area() { return side * side; }
    public static Shape of(int side) { return side == 0 ? null : new Square(side); }
}
