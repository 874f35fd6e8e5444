// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.tree.ParseTree;

/** Sets of memory locations as assignable clauses write them: whether one is within another. */
final class Locations {
    /** Some of memory. */
    private sealed interface Region {}

    /** All there is. */
    private record Everything() implements Region {}

    /** A field of an object; {@code isConcrete}: the states list it, so that it is no model field that stands for others. */
    private record FieldOf(String object, String field, boolean isConcrete) implements Region {}

    /** A static field by its name with that of its class. */
    private record StaticField(String name) implements Region {}

    /** All fields of an object. */
    private record AllFields(String object) implements Region {}

    /** Elements of an array; a null bound is open. */
    private record Elements(String array, BigInteger first, BigInteger last) implements Region {}

    /** A set that is not known, or has no value, stops the whole. */
    private static final class NotKnown extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient Undefined undefined;

        NotKnown(Undefined undefined) {
            super("a set of locations", null, false, false);
            this.undefined = undefined;
        }
    }

    private final Walker walker;
    private final Memory memory;
    private final Paths paths;

    Locations(Walker walker, Memory memory, Paths paths) {
        this.walker = walker;
        this.memory = memory;
        this.paths = paths;
    }

    /** {@code \subset(A, B)} (KeY's JML): whether all locations of A are in B. */
    Result subset(JmlParser.PrimarySubsetContext context) {
        Doubts kept = walker.doubts().copy();
        try {
            List<Region> left = regions(context.storeref(0));
            List<Region> right = regions(context.storeref(1));
            for (Region region : left) {
                Boolean within = isWithin(region, right);
                if (within == null) {
                    return unknown(context, kept);
                }
                if (!within) {
                    return new Value.Truth(false);
                }
            }
            return new Value.Truth(true);
        } catch (NotKnown notKnown) {
            return notKnown.undefined != null ? notKnown.undefined : unknown(context, kept);
        }
    }

    private Residual unknown(ParseTree context, Doubts kept) {
        walker.doubts().become(kept);
        return walker.raw(context);
    }

    private List<Region> regions(JmlParser.StorerefContext store) {
        if (store.NOTHING() != null || store.STRICTLY_NOTHING() != null) {
            return List.of();
        }
        if (store.EVERYTHING() != null) {
            return List.of(new Everything());
        }
        if (store.storeRefExpr() == null) {
            throw new NotKnown(null);
        }
        return regions(store.storeRefExpr().expression());
    }

    private List<Region> regions(ParseTree tree) {
        ParseTree node = Trees.bare(tree);
        if (node instanceof JmlParser.PrimaryEmptySetContext) {
            return List.of();
        }
        if (node instanceof JmlParser.PrimaryCreateLocsetSingletonContext singleton) {
            return List.of(region(Trees.bare(singleton.expression())));
        }
        if (node instanceof JmlParser.PrimaryStoreRefContext set) {
            return union(set.storeRefUnion());
        }
        if (node instanceof JmlParser.PrimaryUnionContext set) {
            return union(set.storeRefUnion());
        }
        return List.of(region(node));
    }

    private List<Region> union(JmlParser.StoreRefUnionContext union) {
        List<Region> all = new ArrayList<>();
        if (union != null) {
            union.storeRefList().storeref().forEach(each -> all.addAll(regions(each)));
        }
        return all;
    }

    private Region region(ParseTree node) {
        if (node instanceof JmlParser.IdentContext ident) {
            return named(ident.getText());
        }
        if (!(node instanceof JmlParser.PostfixexprContext path)) {
            throw new NotKnown(null);
        }
        int last = path.primarysuffix().size() - 1;
        Result target = paths.prefix(path, last);
        if (target instanceof Undefined undefined) {
            throw new NotKnown(undefined);
        }
        if (target instanceof Value.Null) {
            throw new NotKnown(new Undefined("a location of null"));
        }
        JmlParser.PrimarysuffixContext suffix = path.primarysuffix(last);
        if (suffix instanceof JmlParser.PrimarySuffixAccessContext access && access.LPAREN() == null) {
            return member(target, access);
        }
        if (suffix instanceof JmlParser.PrimarySuffixArrayContext index && target instanceof Value.Reference array
                && array.isArray()) {
            return elements(array, index);
        }
        throw new NotKnown(null);
    }

    private Region named(String name) {
        Result target = memory.name("this");
        if (target instanceof Value.Reference self && memory.hasField(self.name(), name)) {
            return new FieldOf(self.name(), name, true);
        }
        if (memory.name(name) instanceof Value.Prefix || memory.owner() == null || memory.isVariable(name)) {
            throw new NotKnown(null);
        }
        return new StaticField(memory.ownName(name));
    }

    private Region member(Result target, JmlParser.PrimarySuffixAccessContext access) {
        if (target instanceof Value.Reference object && !object.isArray()) {
            if (access.MULT() != null) {
                return new AllFields(object.name());
            }
            if (access.IDENT() != null) {
                String name = access.IDENT().getText();
                return new FieldOf(object.name(), name, memory.hasField(object.name(), name));
            }
        }
        if (target instanceof Value.Prefix type && access.IDENT() != null
                && memory.hasStatic(type.name() + "." + access.IDENT().getText())) {
            return new StaticField(type.name() + "." + access.IDENT().getText());
        }
        throw new NotKnown(null);
    }

    private Region elements(Value.Reference array, JmlParser.PrimarySuffixArrayContext index) {
        if (index.MULT() != null) {
            return new Elements(array.name(), null, null);
        }
        BigInteger first = number(index.from);
        return new Elements(array.name(), first, index.to == null ? first : number(index.to));
    }

    private BigInteger number(ParseTree tree) {
        Result result = walker.eval(tree);
        if (result instanceof Undefined undefined) {
            throw new NotKnown(undefined);
        }
        if (result instanceof Value value && Operators.unboxed(value) instanceof Value.Whole whole) {
            return whole.number();
        }
        throw new NotKnown(null);
    }

    /** Null when that depends on what is not known. */
    private static Boolean isWithin(Region region, List<Region> all) {
        if (region instanceof Elements elements && elements.first() != null
                && elements.first().compareTo(elements.last()) > 0) {
            return true;
        }
        Boolean found = false;
        for (Region each : all) {
            Boolean covers = covers(each, region);
            if (Boolean.TRUE.equals(covers)) {
                return true;
            }
            found = covers == null ? null : found;
        }
        // Several parts may cover together what none of them covers.
        boolean isSingle = region instanceof FieldOf || region instanceof StaticField
                || region instanceof Elements elements && elements.first() != null && elements.first().equals(elements.last());
        return isSingle ? found : null;
    }

    private static Boolean covers(Region whole, Region part) {
        if (whole instanceof Everything || whole.equals(part)) {
            return true;
        }
        if (whole instanceof FieldOf a && part instanceof FieldOf b) {
            // A model field may stand for any field of its object, and for some of others.
            return a.object().equals(b.object()) && a.field().equals(b.field()) ? Boolean.TRUE
                    : a.isConcrete() ? Boolean.FALSE : null;
        }
        if (whole instanceof FieldOf a) {
            return a.isConcrete() ? Boolean.FALSE : null;
        }
        if (whole instanceof StaticField a && part instanceof StaticField b) {
            return Memory.isSame(a.name(), b.name());
        }
        if (whole instanceof AllFields a && part instanceof FieldOf b) {
            return a.object().equals(b.object());
        }
        if (whole instanceof Elements a && part instanceof Elements b && a.array().equals(b.array())) {
            return a.first() == null || b.first() != null && a.first().compareTo(b.first()) <= 0
                    && a.last().compareTo(b.last()) >= 0;
        }
        return false;
    }
}
