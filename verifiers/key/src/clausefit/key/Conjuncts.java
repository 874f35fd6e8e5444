// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.speclang.njml.JmlParser;
import java.util.ArrayList;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.misc.Interval;
import org.antlr.v4.runtime.tree.ParseTree;

/** The parts of a clause between the {@code &&} at its top. */
final class Conjuncts {
    private Conjuncts() {}

    /** The texts of the parts, in order; one or none where the clause is no conjunction. */
    static List<String> of(JmlParser.ExpressionContext clause) {
        ParseTree tree = clause;
        while (tree.getChildCount() == 1) {
            tree = tree.getChild(0);
        }
        List<String> texts = new ArrayList<>();
        if (tree instanceof JmlParser.LogicalandexprContext) {
            for (int i = 0; i < tree.getChildCount(); i += 2) {
                texts.add(text((ParserRuleContext) tree.getChild(i)));
            }
        }
        return texts;
    }

    private static String text(ParserRuleContext part) {
        Interval place = Interval.of(part.getStart().getStartIndex(), part.getStop().getStopIndex());
        return part.getStart().getInputStream().getText(place);
    }
}
