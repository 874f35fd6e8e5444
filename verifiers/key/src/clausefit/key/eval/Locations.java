// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key.eval;

import de.uka.ilkd.key.speclang.njml.JmlParser;

/** Sets of memory locations: whether one is within another. */
final class Locations {
    private final Walker walker;
    private final Memory memory;

    Locations(Walker walker, Memory memory) {
        this.walker = walker;
        this.memory = memory;
    }

    Result subset(JmlParser.PrimarySubsetContext context) {
        return walker.raw(context);
    }
}
