package clausefit.record;

/** Writes JSON by hand: ASCII only, so that lone surrogates of Java strings survive. */
final class Json {
    private final StringBuilder out = new StringBuilder();
    private boolean needsComma;

    Json open(char bracket) {
        comma();
        out.append(bracket);
        needsComma = false;
        return this;
    }

    Json close(char bracket) {
        out.append(bracket);
        needsComma = true;
        return this;
    }

    Json key(String name) {
        text(name);
        out.append(':');
        needsComma = false;
        return this;
    }

    Json number(long value) {
        comma();
        out.append(value);
        return this;
    }

    Json truth(boolean value) {
        comma();
        out.append(value);
        return this;
    }

    /** A piece that is JSON already. */
    Json raw(String json) {
        comma();
        out.append(json);
        return this;
    }

    Json text(String value) {
        comma();
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
        return this;
    }

    private void comma() {
        if (needsComma) {
            out.append(',');
        }
        needsComma = true;
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
