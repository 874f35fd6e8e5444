package p;

import java.util.ArrayList;
import java.util.List;

public class Texts {
    public enum Mode { PLAIN, LOUD, QUIET }

    public static class EmptyTextException extends RuntimeException {
        public EmptyTextException(String message) { super(message); }
    }

    private String text = "";
    private Mode mode = Mode.PLAIN;

    public Texts() { }
    public Texts(String text, Mode mode) {
        this.text = text;
        this.mode = mode;
    }
    public String say() {
        switch (mode) {
            case LOUD: return text.toUpperCase() + "!";
            case QUIET: return text.isEmpty() ? text : text.substring(0, 1);
            default: return text;
        }
    }
    public Mode mode() { return mode; }
    public void mode(Mode mode) { this.mode = mode; }
    public char first() {
        if (text.isEmpty()) throw new EmptyTextException("no first character");
        return text.charAt(0);
    }
    public String same(String s) { return s; }
    public static List<Integer> lengths(List<String> all) {
        List<Integer> made = new ArrayList<>();
        for (String one : all) made.add(one.length());
        return made;
    }
    public static String join(List<String> all) {
        StringBuilder made = new StringBuilder();
        for (String one : all) made.append(one).append(';');
        return made.toString();
    }
    public static String orNull(String s) { return s.length() > 3 ? s : null; }
}
