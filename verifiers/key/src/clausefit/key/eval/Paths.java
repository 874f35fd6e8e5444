// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;

/** Names with fields, elements and calls after them. */
final class Paths {
    private final Walker walker;
    private final Memory memory;
    private final Doubts doubts;
    private final Conversions conversions;
    private final Calls calls;

    Paths(Walker walker, Memory memory, Doubts doubts, Jdk jdk, Conversions conversions) {
        this.walker = walker;
        this.memory = memory;
        this.doubts = doubts;
        this.conversions = conversions;
        this.calls = new Calls(walker, memory, doubts, jdk, conversions);
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
        if (primary instanceof JmlParser.IdentContext && count > 0
                && suffixes.get(0) instanceof JmlParser.PrimarySuffixCallContext call) {
            List<Result> arguments = arguments(call.expressionlist());
            current = Calls.firstUndefined(arguments);
            if (current == null) {
                current = Residual.atom(primary.getText() + "(" + Texts.list(arguments) + ")", null);
            }
            next = 1;
        } else if (primary instanceof JmlParser.IdentContext name && name.SUPER() == null) {
            current = memory.name(name.getText());
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
            return access.LPAREN() != null ? calls.call(current, name, arguments(access.expressionlist())) : field(current, name);
        }
        if (suffix instanceof JmlParser.PrimarySuffixArrayContext index && index.from != null && index.to == null) {
            return element(current, walker.eval(index.from));
        }
        return null;
    }

    /** The arguments of a call, evaluated. */
    List<Result> arguments(JmlParser.ExpressionlistContext list) {
        List<Result> results = new ArrayList<>();
        if (list != null) {
            list.expression().forEach(argument -> results.add(walker.eval(argument)));
        }
        return results;
    }

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
