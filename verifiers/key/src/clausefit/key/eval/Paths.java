// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;

/** Names with fields, elements and calls after them, and what else asks for objects. */
final class Paths {
    private static final int LONGEST_NEW_ARRAY = 100_000;

    private final Walker walker;
    private final Memory memory;
    private final Doubts doubts;
    private final Jdk jdk;
    private final Conversions conversions;

    Paths(Walker walker, Memory memory, Doubts doubts, Jdk jdk, Conversions conversions) {
        this.walker = walker;
        this.memory = memory;
        this.doubts = doubts;
        this.jdk = jdk;
        this.conversions = conversions;
    }

    /** A primary expression with at least one suffix. */
    Result postfix(JmlParser.PostfixexprContext context) {
        return prefix(context, context.primarysuffix().size());
    }

    /** The same with only the first {@code count} suffixes. */
    Result prefix(JmlParser.PostfixexprContext context, int count) {
        ParseTree primary = Trees.inner(context.primaryexpr());
        List<JmlParser.PrimarysuffixContext> suffixes = context.primarysuffix().subList(0, count);
        int next = 0;
        Result current;
        if (primary instanceof JmlParser.IdentContext && count > 0 && suffixes.get(0) instanceof JmlParser.PrimarySuffixCallContext call) {
            List<Result> arguments = arguments(call.expressionlist());
            current = firstUndefined(arguments);
            if (current == null) {
                current = Residual.atom(primary.getText() + "(" + Texts.list(arguments) + ")", null);
            }
            next = 1;
        } else {
            current = walker.eval(primary);
        }
        for (; next < suffixes.size(); next++) {
            if (current instanceof Undefined undefined) {
                return new Undefined(undefined.why());
            }
            current = suffix(current, suffixes.get(next));
            if (current == null) {
                return walker.raw(context);
            }
        }
        return current;
    }

    /** Null for a suffix that is not known here. */
    private Result suffix(Result current, JmlParser.PrimarysuffixContext suffix) {
        if (suffix instanceof JmlParser.PrimarySuffixAccessContext access && access.IDENT() != null) {
            String name = access.IDENT().getText();
            return access.LPAREN() != null ? call(current, name, arguments(access.expressionlist())) : field(current, name);
        }
        if (suffix instanceof JmlParser.PrimarySuffixArrayContext index && index.from != null && index.to == null) {
            return element(current, walker.eval(index.from));
        }
        return null;
    }

    private List<Result> arguments(JmlParser.ExpressionlistContext list) {
        List<Result> results = new ArrayList<>();
        if (list != null) {
            list.expression().forEach(argument -> results.add(walker.eval(argument)));
        }
        return results;
    }

    private static Result firstUndefined(List<Result> results) {
        return results.stream().filter(Undefined.class::isInstance).findFirst().orElse(null);
    }

    // ---- fields

    private Result field(Result target, String name) {
        if (target instanceof Value.Prefix prefix) {
            return member(prefix, name);
        }
        if (target instanceof Value.Null) {
            return new Undefined(name + " of null", name.equals("length") ? Kind.INT : null);
        }
        if (target instanceof Value.Foreign foreign && foreign.object().getClass().isArray() && name.equals("length")) {
            return Value.Whole.of(Kind.INT, Array.getLength(foreign.object()));
        }
        if (target instanceof Value.Reference reference) {
            if (!reference.isArray()) {
                return memory.field(reference, name);
            }
            int length = name.equals("length") ? memory.length(reference) : -1;
            return length >= 0 ? Value.Whole.of(Kind.INT, length)
                    : Residual.atom(memory.path(reference) + "." + name, name.equals("length") ? Kind.INT : null);
        }
        String text = Texts.operand(target);
        if (target instanceof Residual) {
            doubts.mayBeNull(text);
        }
        return Residual.atom(text + "." + name, name.equals("length") ? Kind.INT : null);
    }

    /** What {@code prefix.name} names: a static field, a constant of an enum, or perhaps a longer prefix. */
    private Result member(Value.Prefix prefix, String name) {
        String whole = prefix.name() + "." + name;
        Value known = memory.staticField(whole);
        if (known != null) {
            return Texts.withSource(known, whole);
        }
        String enumType = memory.enumType(prefix.name());
        if (enumType != null && memory.hasConstant(enumType, name)) {
            return new Value.Constant(enumType, name, whole);
        }
        Class<?> library = Library.named(prefix.name());
        Value constant = library == null ? null : Jdk.constant(library, name);
        if (constant != null) {
            return constant;
        }
        boolean isQualifier = Character.isUpperCase(lastPart(prefix.name()).charAt(0)) || prefix.name().startsWith("java");
        if (!isQualifier && Character.isUpperCase(name.charAt(0))) {
            isQualifier = true;
        }
        if (!isQualifier) {
            // A field that the states do not have; a package's name begins small as well, and doubts nothing by being tried.
            doubts.mayBeNull(prefix.name());
        }
        return new Value.Prefix(whole);
    }

    private static String lastPart(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    // ---- elements

    private Result element(Result target, Result position) {
        if (position instanceof Undefined undefined) {
            return new Undefined(undefined.why(), elementKind(target));
        }
        if (target instanceof Value.Null || position instanceof Value.Null) {
            return new Undefined(target instanceof Value.Null ? "an element of null" : "null as an index");
        }
        Value plain = position instanceof Value value ? Operators.unboxed(value) : null;
        BigInteger index = plain instanceof Value.Whole whole ? whole.number() : null;
        int length = length(target);
        if (index != null && (index.signum() < 0 || length >= 0 && index.compareTo(BigInteger.valueOf(length)) >= 0)) {
            return new Undefined("index " + index + " is out of range" + (length < 0 ? "" : ", the length is " + length),
                    elementKind(target));
        }
        if (index != null && length >= 0) {
            if (target instanceof Value.Reference reference) {
                return memory.element(reference, index.intValue());
            }
            Object array = ((Value.Foreign) target).object();
            Value value = conversions.fromJava(Array.get(array, index.intValue()), array.getClass().getComponentType(), null);
            if (value != null) {
                return value;
            }
        }
        String text = target instanceof Value.Reference reference ? memory.path(reference) : Texts.operand(target);
        if (!(target instanceof Value)) {
            doubts.mayBeNull(text);
        }
        doubts.mayBeUndefined("the index in " + text + "[" + Texts.of(position) + "] may be out of range");
        return Residual.atom(text + "[" + Texts.of(position) + "]", elementKind(target));
    }

    private int length(Result target) {
        if (target instanceof Value.Reference reference && reference.isArray()) {
            return memory.length(reference);
        }
        return target instanceof Value.Foreign foreign && foreign.object().getClass().isArray()
                ? Array.getLength(foreign.object()) : -1;
    }

    private static Kind elementKind(Result target) {
        return target instanceof Value.Reference reference && reference.isArray()
                ? Kind.of(reference.type().substring(0, reference.type().length() - 2)) : null;
    }

    // ---- calls

    private Result call(Result target, String name, List<Result> arguments) {
        Result undefined = firstUndefined(arguments);
        if (target instanceof Value.Null none) {
            return new Undefined("a call of " + name + " on null", returnKind(none.type(), name, arguments.size()));
        }
        if (undefined != null) {
            return new Undefined(((Undefined) undefined).why(), callKind(target, name, arguments));
        }
        List<Value> known = new ArrayList<>();
        for (Result argument : arguments) {
            if (argument instanceof Value value && !(value instanceof Value.Prefix)) {
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
        if (receiver.isArray() && name.equals("equals") && arguments.size() == 1 && arguments.get(0) instanceof Value.Reference other) {
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

    // ---- other questions about objects

    /** {@code new T[n]} and {@code new T[]{...}}, as arguments of library calls. */
    Result newArray(JmlParser.New_exprContext context) {
        String element = context.type().getText();
        if (context.array_dimensions() == null) {
            return walker.raw(context);
        }
        Class<?> component = element.equals("String") || element.equals("java.lang.String") ? String.class
                : Kind.of(element).isNumeric() || element.equals("boolean") ? conversions.primitiveNamed(element) : null;
        if (component == null) {
            return walker.raw(context);
        }
        if (context.array_initializer() != null) {
            return listed(context, component, arguments(context.array_initializer().expressionlist()));
        }
        ParseTree dimension = context.array_dimensions().array_dimension().expression();
        Result size = dimension == null ? null : walker.eval(dimension);
        if (size instanceof Undefined) {
            return size;
        }
        if (!(size instanceof Value.Whole whole) || whole.number().bitLength() > 31) {
            return walker.raw(context);
        }
        if (whole.number().signum() < 0) {
            return new Undefined("an array of negative size");
        }
        if (whole.number().intValue() > LONGEST_NEW_ARRAY) {
            throw new BudgetUsed("an array of more than " + LONGEST_NEW_ARRAY + " elements");
        }
        Object array = Array.newInstance(component, whole.number().intValue());
        return new Value.Foreign(array, Texts.raw(context, memory.bound()));
    }

    private Result listed(ParseTree context, Class<?> component, List<Result> elements) {
        Object array = Array.newInstance(component, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Result element = elements.get(i);
            if (element instanceof Undefined) {
                return element;
            }
            try {
                Array.set(array, i, conversions.toJava((Value) element, component));
            } catch (ClassCastException | IllegalArgumentException | ArithmeticException | Inexpressible notKnown) {
                return walker.raw(context);
            }
        }
        return new Value.Foreign(array, Texts.raw(context, memory.bound()));
    }

    /** {@code \nonnullelements(a)}: the array and its elements are not null (JML manual, 12.4.18). */
    Result nonNullElements(JmlParser.PrimaryNNEContext context) {
        Result array = walker.eval(context.expression());
        if (array instanceof Undefined) {
            return array;
        }
        if (array instanceof Value.Null) {
            return new Value.Truth(false);
        }
        List<Value> elements = array instanceof Value.Reference reference && reference.isArray() ? memory.elements(reference) : null;
        if (elements == null || Kind.of(((Value.Reference) array).type().replace("[]", "")) != Kind.REFERENCE
                && !((Value.Reference) array).type().endsWith("[][]")) {
            return Residual.atom("\\nonnullelements(" + Texts.of(array) + ")", Kind.BOOLEAN);
        }
        if (elements.stream().anyMatch(Value.Null.class::isInstance)) {
            return new Value.Truth(false);
        }
        return elements.contains(null) ? Residual.atom("\\nonnullelements(" + Texts.of(array) + ")", Kind.BOOLEAN)
                : new Value.Truth(true);
    }

    /** {@code \fresh(x, y)}: not null, and made by the call (JML manual, 12.4.9). */
    Result fresh(JmlParser.PrimaryFreshContext context) {
        List<Result> open = new ArrayList<>();
        for (Result result : arguments(context.expressionlist())) {
            if (result instanceof Undefined) {
                return result;
            }
            if (result instanceof Value.Null) {
                return new Value.Truth(false);
            }
            if (result instanceof Value.Reference reference && memory.after() != null) {
                if (!memory.isFresh(reference)) {
                    return new Value.Truth(false);
                }
            } else if (result instanceof Value.Text text && !text.identity().isEmpty()
                    && memory.before().hasIdentity(text.identity())) {
                return new Value.Truth(false);
            } else {
                if (result instanceof Value) {
                    doubts.unprovable("the test does not show whether the object is a new one");
                }
                open.add(result);
            }
        }
        return open.isEmpty() ? new Value.Truth(true) : Residual.atom("\\fresh(" + Texts.list(open) + ")", Kind.BOOLEAN);
    }

    /** A result of {@code \old(...)} as it is seen outside: text that depends on memory keeps the word. */
    Result fromOld(Result result) {
        if (result instanceof Residual residual) {
            return Residual.atom("\\old(" + residual.text() + ")", residual.kind());
        }
        String source = result instanceof Value value ? Texts.source(value) : null;
        boolean depends = source != null && !(result instanceof Value.Reference reference
                && memory.before().object(reference.name()) != null);
        if (result instanceof Value.Prefix prefix) {
            return Residual.atom("\\old(" + prefix.name() + ")", null);
        }
        return depends ? Texts.withSource((Value) result, "\\old(" + source + ")") : result;
    }
}
