package clausefit.record;

import com.sun.jdi.ArrayReference;
import com.sun.jdi.ByteValue;
import com.sun.jdi.CharValue;
import com.sun.jdi.Field;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads strings through their fields: the length first, so that a huge one is not copied, and exactly, where the
 * debugger's own way (UTF-8) loses lone surrogates.
 */
final class Texts {
    private static final int MOST_KEPT = 2000;
    private final int longest;
    private Field valueField;
    private Field coderField;
    private final Map<Long, String> known = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
            return size() > MOST_KEPT;
        }
    };

    Texts(int longest) {
        this.longest = longest;
    }

    /** The text, or null when it is longer than the limit. */
    String read(StringReference string) {
        String found = known.get(string.uniqueID());
        if (found == null) {
            found = fetch(string);
            if (found != null) {
                known.put(string.uniqueID(), found);
            }
        }
        return found;
    }

    private String fetch(StringReference string) {
        if (valueField == null) {
            valueField = string.referenceType().fieldByName("value");
            coderField = string.referenceType().fieldByName("coder");
        }
        if (!(string.getValue(valueField) instanceof ArrayReference units)) {
            return null;
        }
        boolean isWide = coderField != null && ((ByteValue) string.getValue(coderField)).value() == 1;
        int length = units.length() / (isWide ? 2 : 1);
        if (length > longest) {
            return null;
        }
        List<Value> values = length == 0 ? List.of() : units.getValues();
        StringBuilder text = new StringBuilder(length);
        boolean isBig = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
        for (int i = 0; i < length; i++) {
            if (isWide) {
                int first = ((ByteValue) values.get(2 * i)).value() & 0xff;
                int second = ((ByteValue) values.get(2 * i + 1)).value() & 0xff;
                text.append((char) (isBig ? first << 8 | second : second << 8 | first));
            } else {
                Value unit = values.get(i);
                text.append(unit instanceof CharValue c ? c.value() : (char) (((ByteValue) unit).value() & 0xff));
            }
        }
        return text.toString();
    }
}
