// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import clausefit.key.eval.State.HeapObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What names, fields and elements stand for at a pin, before the call or after it. */
final class Memory {
    /** Stands in formulas for the exception that was thrown. */
    static final String EXCEPTION = "cf_exc";

    private final State before;
    private final Outcome after;
    private final Map<String, String> types;
    private final String owner;
    private final Map<String, Value> bound = new HashMap<>();
    private boolean isOld;

    Memory(State before, Outcome after, Map<String, String> types, String owner) {
        this.before = before;
        this.after = after;
        this.types = types;
        this.owner = owner;
    }

    /** Whether names stand for what they were before the call. */
    boolean isOld() {
        return isOld;
    }

    /** Sets it, and returns what it was. */
    boolean setOld(boolean old) {
        boolean was = isOld;
        isOld = old;
        return was;
    }

    /** Variables of quantifiers with the values that they have now. */
    Map<String, Value> bound() {
        return bound;
    }

    State before() {
        return before;
    }

    Outcome after() {
        return after;
    }

    String owner() {
        return owner;
    }

    /** The state that names speak of now. */
    State current() {
        return isOld || after == null ? before : after.state();
    }

    /** What a name alone stands for (JLS 6.4: a variable hides a field, and both hide a class). */
    Result name(String name) {
        if (bound.containsKey(name)) {
            return bound.get(name);
        }
        if (name.equals("this")) {
            return self();
        }
        if (name.equals(EXCEPTION) && after != null) {
            return exception();
        }
        if (isVariable(name)) {
            return variable(name);
        }
        if (self() instanceof Value.Reference self && hasField("this", name)) {
            return field(self, name);
        }
        Value own = owner == null ? null : staticField(ownName(name));
        return own == null ? new Value.Prefix(name) : Texts.withSource(own, name);
    }

    /** Whether that is a variable of the call or of the formulas, and no field. */
    boolean isVariable(String name) {
        return types.containsKey(name) || before.hasVariable(name) || (after != null && after.state().hasVariable(name));
    }

    private Result self() {
        HeapObject object = before.object("this");
        if (object == null && after != null) {
            object = after.state().object("this");
        }
        return object == null ? Residual.atom("this", Kind.REFERENCE)
                : new Value.Reference("this", object.type(), true, owner, "this");
    }

    private Result exception() {
        return after.exception() == null ? new Value.Null("java.lang.Throwable")
                : new Value.Reference(EXCEPTION, after.exception(), after.isExact(), null, EXCEPTION);
    }

    /** Parameters have in a postcondition the values that they had before (JML manual, "ensures clauses"). */
    private Result variable(String name) {
        Value value = before.hasVariable(name) || after == null ? before.variable(name) : after.state().variable(name);
        return known(value, name, types.get(name));
    }

    /** What the call returned. */
    Result result() {
        if (after == null) {
            return Residual.atom("\\result", null);
        }
        if (after.exception() != null) {
            return new Undefined("a call that throws has no \\result");
        }
        return known(after.result(), "\\result", types.get("\\result"));
    }

    private static Result known(Value value, String source, String type) {
        if (value == null) {
            return Residual.atom(source, type == null ? null : Kind.of(type));
        }
        if (value instanceof Value.Null && type != null) {
            return new Value.Null(type);
        }
        if (value instanceof Value.Reference reference) {
            return new Value.Reference(reference.name(), reference.type(), reference.isExact(), type, source);
        }
        return Texts.withSource(value, source);
    }

    /** Whether one of the states lists that field of the object. */
    boolean hasField(String object, String name) {
        return hasField(before, object, name) || (after != null && hasField(after.state(), object, name));
    }

    private static boolean hasField(State state, String name, String field) {
        HeapObject object = state.object(name);
        return object != null && object.fields() != null && object.fields().containsKey(field);
    }

    /** The field of an object of the states; the object is no array. */
    Result field(Value.Reference object, String name) {
        HeapObject state = current().object(object.name());
        Value value = state == null || state.fields() == null ? null : state.fields().get(name);
        return known(value, path(object) + "." + name, null);
    }

    /** The elements of an array or list as they are now; null when they are not known. */
    List<Value> elements(Value.Reference object) {
        HeapObject state = current().object(object.name());
        return state == null ? null : state.elements();
    }

    /** How many elements an array has, which never changes; -1 when that is not known. */
    int length(Value.Reference array) {
        HeapObject state = before.object(array.name());
        if ((state == null || state.elements() == null) && after != null) {
            state = after.state().object(array.name());
        }
        return state == null || state.elements() == null || state.isList() ? -1 : state.elements().size();
    }

    /** The element of an array; {@code index} is in its range. */
    Result element(Value.Reference array, int index) {
        List<Value> elements = elements(array);
        Value value = elements == null || index >= elements.size() ? null : elements.get(index);
        String type = array.type() == null ? null : array.type().substring(0, array.type().length() - 2);
        return known(value, path(array) + "[" + index + "]", type);
    }

    /** An object's name where formulas have one, which stands for it before the call and after it; else how it was reached. */
    String path(Value.Reference object) {
        if (object.source() != null && object.source().startsWith("((")) {
            // A cast, without which KeY would not find the members.
            return object.source();
        }
        if (before.object(object.name()) != null || object.name().equals("this") || object.name().equals(EXCEPTION)) {
            return object.name().equals(EXCEPTION) && object.source() != null ? object.source() : object.name();
        }
        if (object.source() == null) {
            throw new Inexpressible("an object without a name");
        }
        return object.source();
    }

    /** Whether one of the states has a string. */
    boolean hasStrings() {
        return before.hasStrings() || (after != null && (after.state().hasStrings() || after.result() instanceof Value.Text));
    }

    /** Whether it is the object that the constructor, which is the call, has made. */
    boolean isConstructed(Value.Reference object) {
        return object.name().equals("this") && before.object("this") == null && after != null;
    }

    /** Whether the object was made by the call. */
    boolean isFresh(Value.Reference object) {
        return after != null && before.object(object.name()) == null && after.state().object(object.name()) != null;
    }

    /** A static field by its name with that of its class; null when it is not known. */
    Value staticField(String name) {
        Map<String, Value> statics = current().statics();
        for (Map.Entry<String, Value> entry : statics.entrySet()) {
            if (isSame(entry.getKey(), name)) {
                return entry.getValue();
            }
        }
        return null;
    }

    /** Whether one of the states lists that static field. */
    boolean hasStatic(String name) {
        return before.statics().keySet().stream().anyMatch(known -> isSame(known, name))
                || (after != null && after.state().statics().keySet().stream().anyMatch(known -> isSame(known, name)));
    }

    /** The name of a static field of the class that the clause belongs to. */
    String ownName(String name) {
        return owner.substring(owner.lastIndexOf('.') + 1) + "." + name;
    }

    /** Whether both are names of one thing, of which one may be qualified further. */
    static boolean isSame(String left, String right) {
        return left.equals(right) || left.endsWith("." + right) || right.endsWith("." + left);
    }

    /** The enum type that {@code name} names, if the states speak of one: the qualified name, else null. */
    String enumType(String name) {
        for (State state : after == null ? List.of(before) : List.of(before, after.state())) {
            for (String type : state.enums().keySet()) {
                if (isSame(type, name)) {
                    return type;
                }
            }
        }
        return null;
    }

    /** Whether the enum of that qualified name is known to have the constant. */
    boolean hasConstant(String type, String name) {
        return before.enums().getOrDefault(type, Set.of()).contains(name)
                || (after != null && after.state().enums().getOrDefault(type, Set.of()).contains(name));
    }
}
