package arrays;

public class Grid {
    private final /*@ spec_public @*/ int[][] cells;

    /*@ requires rows > 0 && cols > 0;
      @ ensures cells.length == rows;
      @ ensures (\forall int r; 0 <= r && r < rows; cells[r] != null && cells[r].length == cols);
      @ ensures (\forall int r; 0 <= r && r < rows; (\forall int c; 0 <= c && c < cols; cells[r][c] == 0));
      @ assignable cells; @*/
    public Grid(int rows, int cols) { cells = new int[rows][cols]; }

    /*@ requires 0 <= r && r < cells.length && 0 <= c && c < cells[r].length;
      @ assignable cells[r][c];
      @ ensures cells[r][c] == v; @*/
    public void set(int r, int c, int v) { cells[r][c] = v; }

    //@ requires 0 <= r && r < cells.length && 0 <= c && c < cells[r].length;
    //@ ensures \result == cells[r][c];
    public /*@ pure @*/ int get(int r, int c) { return cells[r][c]; }

    /*@ requires (\forall int i; 0 <= i && i < m.length; m[i].length == m.length);
      @ ensures \result == (\sum int i; 0 <= i && i < m.length; m[i][i]); @*/
    public static /*@ pure @*/ int trace(int[][] m) {
        int t = 0;
        for (int i = 0; i < m.length; i++) t += m[i][i];
        return t;
    }

    /*@ requires m.length > 0;
      @ requires (\forall int i; 0 <= i && i < m.length; m[i] != null && m[i].length == m[0].length);
      @ ensures \fresh(\result) && \result.length == m[0].length;
      @ ensures (\forall int i; 0 <= i && i < \result.length; \fresh(\result[i]) && \result[i].length == m.length);
      @ ensures (\forall int i, j; 0 <= i && i < m.length && 0 <= j && j < m[0].length; \result[j][i] == m[i][j]);
      @ assignable \nothing; @*/
    public static int[][] transpose(int[][] m) {
        int[][] t = new int[m[0].length][m.length];
        for (int i = 0; i < m.length; i++)
            for (int j = 0; j < m[0].length; j++)
                t[j][i] = m[i][j];
        return t;
    }
}
