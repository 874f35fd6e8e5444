package clausefit.record;

import com.sun.jdi.ClassLoaderReference;
import com.sun.jdi.Field;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Static fields, as the class loader of the method has them. */
final class Statics {
    /** A value with its declared type; <code>isKnown</code> is false before the class is initialised. */
    record Held(boolean isKnown, String type, Value value) {}

    private Statics() {}

    static List<Held> read(List<Watch.StaticField> wanted, ReferenceType where) {
        List<Held> found = new ArrayList<>();
        for (Watch.StaticField one : wanted) {
            found.add(read(one, where));
        }
        return found;
    }

    private static Held read(Watch.StaticField wanted, ReferenceType where) {
        ClassLoaderReference loader = where.classLoader();
        for (ReferenceType type : where.virtualMachine().classesByName(wanted.className())) {
            Field field = type.isPrepared() && Objects.equals(type.classLoader(), loader)
                    ? type.fieldByName(wanted.field())
                    : null;
            if (field != null && field.isStatic()) {
                boolean isKnown = type.isInitialized();
                return new Held(isKnown, field.typeName(), isKnown ? type.getValue(field) : null);
            }
        }
        return new Held(false, "", null);
    }
}
