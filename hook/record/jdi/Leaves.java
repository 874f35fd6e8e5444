package clausefit.record;

import com.sun.jdi.BooleanValue;
import com.sun.jdi.CharValue;
import com.sun.jdi.ClassObjectReference;
import com.sun.jdi.ClassType;
import com.sun.jdi.DoubleValue;
import com.sun.jdi.Field;
import com.sun.jdi.FloatValue;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.PrimitiveValue;
import com.sun.jdi.StringReference;
import com.sun.jdi.Value;
import java.util.Set;

/** Values that have no parts of their own, as JSON: see java_calls.py for the forms. */
final class Leaves {
    private static final Set<String> WRAPPERS = Set.of(
            "java.lang.Boolean", "java.lang.Byte", "java.lang.Character", "java.lang.Short", "java.lang.Integer",
            "java.lang.Long", "java.lang.Float", "java.lang.Double");
    private final Texts texts;

    Leaves(Texts texts) {
        this.texts = texts;
    }

    static boolean isWrapper(String className) {
        return WRAPPERS.contains(className);
    }

    /** The enum type of a constant, null for any other object. */
    static ClassType enumOf(ObjectReference object) {
        ClassType one = object.referenceType() instanceof ClassType type ? type : null;
        while (one != null && one.superclass() != null) {
            if (one.superclass().name().equals("java.lang.Enum")) {
                return one;
            }
            one = one.superclass();
        }
        return null;
    }

    /** Writes a value; <code>declared</code> is its static type, <code>isKept</code> whether an object is shown. */
    void write(Json out, Value value, String declared, Set<Long> kept, Numbering numbers) {
        out.open('[');
        if (value == null) {
            out.text("N").text(declared);
        } else if (value instanceof PrimitiveValue primitive) {
            primitive(out, primitive, primitive.type().name());
        } else {
            object(out, (ObjectReference) value, declared, kept, numbers);
        }
        out.close(']');
    }

    private void object(Json out, ObjectReference object, String declared, Set<Long> kept, Numbering numbers) {
        if (object instanceof StringReference string) {
            String text = texts.read(string);
            if (text == null) {
                out.text("U").text("java.lang.String");
            } else {
                out.text("S").text(text).number(numbers.string(string.uniqueID()));
            }
            return;
        }
        if (kept.contains(object.uniqueID())) {
            out.text("P").number(numbers.object(object.uniqueID())).text(declared);
            return;
        }
        String className = object.referenceType().name();
        ClassType enumType = enumOf(object);
        String constant = enumType == null ? null : enumName(object, enumType);
        if (isWrapper(className) && content(object) instanceof PrimitiveValue primitive) {
            primitive(out, primitive, className);
        } else if (object instanceof ClassObjectReference literal && !Shapes.isMade(literal.reflectedType().name())) {
            out.text("C").text(literal.reflectedType().name()).text("java.lang.Class");
        } else if (constant != null) {
            out.text("C").text(constant).text(enumType.name());
        } else {
            out.text("U").text(declared);
        }
    }

    private static Value content(ObjectReference wrapper) {
        Field field = wrapper.referenceType().fieldByName("value");
        return field == null ? null : wrapper.getValue(field);
    }

    private String enumName(ObjectReference constant, ClassType type) {
        Field field = type.superclass().fieldByName("name");
        return field != null && constant.getValue(field) instanceof StringReference name ? texts.read(name) : null;
    }

    private static void primitive(Json out, PrimitiveValue value, String type) {
        if (value instanceof FloatValue one) {
            out.text("F").text(type).text(Integer.toHexString(Float.floatToRawIntBits(one.value())));
        } else if (value instanceof DoubleValue one) {
            out.text("F").text(type).text(Long.toHexString(Double.doubleToRawLongBits(one.value())));
        } else if (value instanceof BooleanValue one) {
            out.text("I").text(type).text(one.value() ? "1" : "0");
        } else if (value instanceof CharValue one) {
            out.text("I").text(type).text(Integer.toString(one.value()));
        } else {
            out.text("I").text(type).text(Long.toString(value.longValue()));
        }
    }
}
