// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import java.lang.reflect.Method;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** Calls: those of the Java library are run where all is known, those of the project are left to KeY. */
final class Calls {
    private final Walker walker;
    private final Memory memory;
    private final Doubts doubts;
    private final Jdk jdk;
    private final Conversions conversions;

    Calls(Walker walker, Memory memory, Doubts doubts, Jdk jdk, Conversions conversions) {
        this.walker = walker;
        this.memory = memory;
        this.doubts = doubts;
        this.jdk = jdk;
        this.conversions = conversions;
    }

    /** The first argument without a value; null when all have one. */
    static Result firstUndefined(List<Result> results) {
        return results.stream().filter(Undefined.class::isInstance).findFirst().orElse(null);
    }

    /** {@code target.name(arguments)}. */
    Result call(Result target, String name, List<Result> arguments) {
        Result undefined = firstUndefined(arguments);
        if (target instanceof Value.Null none) {
            return new Undefined("a call of " + name + " on null", returnKind(none.type(), name, arguments.size()));
        }
        if (undefined != null) {
            return new Undefined(((Undefined) undefined).why(), callKind(target, name, arguments));
        }
        List<Value> known = new ArrayList<>();
        for (Result argument : arguments) {
            if (argument instanceof Value value) {
                known.add(value);
            }
        }
        boolean isClosed = known.size() == arguments.size();
        Result result = isClosed ? closed(target, name, known, callTextOrNull(target, name, arguments)) : null;
        if (result != null) {
            return result;
        }
        String text = callText(target, name, arguments);
        walker.spendOn(text);
        boolean isLibrary = target instanceof Value.Prefix prefix ? Library.named(prefix.name()) != null
                : target instanceof Value && !(target instanceof Value.Reference reference && !conversions.isList(reference));
        if (target instanceof Residual) {
            doubts.mayBeNull(Texts.operand(target));
        } else if (isLibrary && !Library.isTotal(name)) {
            doubts.mayBeUndefined(text + " is not evaluated and may fail");
        }
        return Residual.atom(text, callKind(target, name, arguments));
    }

    private String callTextOrNull(Result target, String name, List<Result> arguments) {
        try {
            return callText(target, name, arguments);
        } catch (Inexpressible noText) {
            return null;
        }
    }

    private String callText(Result target, String name, List<Result> arguments) {
        String receiver = target instanceof Value.Reference reference ? memory.path(reference) : Texts.operand(target);
        return receiver + "." + name + "(" + Texts.list(arguments) + ")";
    }

    /** A call with nothing in it that is not known; null when it cannot be run. */
    private Result closed(Result target, String name, List<Value> arguments, String text) {
        if (target instanceof Value.Prefix prefix) {
            Class<?> library = Library.named(prefix.name());
            if (name.equals("abs") && walker.math() == MathMode.BIGINT && arguments.size() == 1
                    && arguments.get(0) instanceof Value.Whole least && least.number().equals(least.kind().least())) {
                doubts.unprovable("Math.abs of the smallest number is not the same in Java and in mathematics");
                return null;
            }
            return library == null ? null : jdk.call(library, null, name, arguments, text);
        }
        if (target instanceof Value.Text receiver) {
            return jdk.call(String.class, receiver, name, arguments, text);
        }
        if (target instanceof Value.Boxed receiver) {
            return jdk.call(receiver.content().getClass(), receiver, name, arguments, text);
        }
        if (target instanceof Value.Foreign receiver) {
            Class<?> view = Library.view(receiver.object());
            return view == null ? null : jdk.call(view, receiver, name, arguments, text);
        }
        if (target instanceof Value.Constant constant) {
            return ofConstant(constant, name, arguments);
        }
        return target instanceof Value.Reference receiver ? ofObject(receiver, name, arguments, text) : null;
    }

    /** Methods of Enum that no enum can override (java.lang.Enum). */
    private static Result ofConstant(Value.Constant constant, String name, List<Value> arguments) {
        if (name.equals("name") && arguments.isEmpty()) {
            return new Value.Text(constant.name(), "", false, null);
        }
        if (name.equals("equals") && arguments.size() == 1) {
            return new Value.Truth(arguments.get(0) instanceof Value.Constant other && other.type().equals(constant.type())
                    && other.name().equals(constant.name()));
        }
        return null;
    }

    private Result ofObject(Value.Reference receiver, String name, List<Value> arguments, String text) {
        if (conversions.isList(receiver)) {
            return ofList(receiver, name, arguments, text);
        }
        if (name.equals("getClass") && arguments.isEmpty() && receiver.isExact() && receiver.type() != null) {
            return new Value.Type(receiver.type());
        }
        if (receiver.isArray() && name.equals("equals") && arguments.size() == 1
                && arguments.get(0) instanceof Value.Reference other) {
            return new Value.Truth(other.name().equals(receiver.name()));
        }
        return null;
    }

    private Result ofList(Value.Reference list, String name, List<Value> arguments, String text) {
        List<Value> elements = memory.elements(list);
        if (elements == null) {
            return null;
        }
        if (arguments.isEmpty() && name.equals("size")) {
            return Value.Whole.of(Kind.INT, elements.size());
        }
        if (arguments.isEmpty() && name.equals("isEmpty")) {
            return new Value.Truth(elements.isEmpty());
        }
        if (arguments.size() == 1 && name.equals("get") && Operators.unboxed(arguments.get(0)) instanceof Value.Whole index) {
            boolean exists = index.number().signum() >= 0 && index.number().compareTo(BigInteger.valueOf(elements.size())) < 0;
            if (!exists) {
                return new Undefined("IndexOutOfBoundsException in " + text);
            }
            Value element = elements.get(index.number().intValue());
            return element == null ? null : Texts.withSource(element, text);
        }
        // List.of(...) throws at null where other lists say no, and which of them this one is, is not known.
        boolean asksForNull = arguments.stream().anyMatch(Value.Null.class::isInstance);
        return asksForNull && !name.equals("equals") ? null : jdk.call(List.class, list, name, arguments, text);
    }

    /** The kind of the type of a call of the library whose arguments are not all known; null where it is not certain. */
    private Kind callKind(Result target, String name, List<Result> arguments) {
        boolean isStatic = target instanceof Value.Prefix;
        Class<?> type = target instanceof Value.Prefix prefix ? Library.named(prefix.name())
                : target instanceof Value.Text ? String.class : null;
        Class<?>[] types = new Class<?>[arguments.size()];
        for (int i = 0; i < types.length; i++) {
            Kind kind = Conditionals.kind(arguments.get(i));
            boolean isPrimitive = kind != null && kind != Kind.REFERENCE && kind != Kind.BIGINT
                    && !(arguments.get(i) instanceof Value.Boxed);
            if (!isPrimitive && !(arguments.get(i) instanceof Value)) {
                return null;
            }
            types[i] = isPrimitive ? conversions.primitiveNamed(kind.word()) : conversions.type((Value) arguments.get(i));
        }
        Overloads.Chosen chosen = type == null ? null : Overloads.choose(type, name, types, isStatic);
        return chosen == null ? null : Conversions.kind(chosen.method().getReturnType());
    }

    /** The kind that all methods of that name return; null where they differ or the class is not of the library. */
    private static Kind returnKind(String type, String name, int count) {
        Class<?> library = type == null ? null : Library.named(type);
        Kind kind = null;
        for (Method method : library == null ? List.<Method>of() : Overloads.named(library, name, false)) {
            if (method.getParameterCount() == count) {
                Kind own = Conversions.kind(method.getReturnType());
                if (kind != null && kind != own) {
                    return null;
                }
                kind = own;
            }
        }
        return kind;
    }
}
