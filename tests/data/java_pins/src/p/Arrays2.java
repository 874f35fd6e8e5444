package p;

public class Arrays2 {
    public static void sort(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int x = a[i], j = i;
            for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
            a[j] = x;
        }
    }
    public static int[] squares(int n) {
        int[] made = new int[n];
        for (int i = 0; i < n; i++) made[i] = i * i;
        return made;
    }
    public static int trace(int[][] m) {
        int sum = 0;
        for (int i = 0; i < m.length; i++) sum += m[i][i];
        return sum;
    }
    public static String[] tail(String[] all) {
        String[] made = new String[all.length - 1];
        for (int i = 1; i < all.length; i++) made[i - 1] = all[i];
        return made;
    }
    public static boolean swap(int[] a, int[] b) {
        if (a == b) return false;
        int x = a[0];
        a[0] = b[0];
        b[0] = x;
        return true;
    }
    public static double[] halves(double[] a) {
        double[] made = new double[a.length];
        for (int i = 0; i < a.length; i++) made[i] = a[i] / 2;
        return made;
    }
}
