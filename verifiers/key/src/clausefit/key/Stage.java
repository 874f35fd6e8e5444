// SPDX-License-Identifier: GPL-2.0-or-later
package clausefit.key;

import de.uka.ilkd.key.proof.Proof;
import de.uka.ilkd.key.settings.StrategySettings;
import de.uka.ilkd.key.strategy.StrategyProperties;

/** A way to search for a proof. The stages are tried in their order on what the earlier ones left open. */
enum Stage {
    /** Pure methods by their bodies: recursive ones have no useful contract. */
    BODIES(StrategyProperties.METHOD_EXPAND, 1000),
    /** Methods by their contracts: those of the library have no bodies, and a search for them only takes time. */
    CONTRACTS(StrategyProperties.METHOD_CONTRACT, 1000),
    /** For clauses that call methods of both kinds. */
    BODIES_OF_OTHERS(StrategyProperties.METHOD_EXPAND, 1000);

    private final String methods;
    private final int steps;

    Stage(String methods, int steps) {
        this.methods = methods;
        this.steps = steps;
    }

    /** How many rules may be applied in one search. */
    int steps() {
        return steps;
    }

    /** Whether a clause that calls methods, or methods of the library, is asked at this stage. */
    boolean takes(boolean calls, boolean callsLibrary) {
        return switch (this) {
            case BODIES -> !callsLibrary;
            case CONTRACTS -> calls;
            case BODIES_OF_OTHERS -> callsLibrary;
        };
    }

    /** Makes this the way in which {@code proof} goes on. */
    void configure(Proof proof) {
        StrategySettings settings = proof.getSettings().getStrategySettings();
        StrategyProperties properties = settings.getActiveStrategyProperties();
        properties.setProperty(StrategyProperties.METHOD_OPTIONS_KEY, methods);
        properties.setProperty(StrategyProperties.LOOP_OPTIONS_KEY, StrategyProperties.LOOP_EXPAND);
        properties.setProperty(StrategyProperties.DEP_OPTIONS_KEY, StrategyProperties.DEP_ON);
        properties.setProperty(StrategyProperties.QUERY_OPTIONS_KEY, StrategyProperties.QUERY_ON);
        properties.setProperty(StrategyProperties.QUERYAXIOM_OPTIONS_KEY, StrategyProperties.QUERYAXIOM_ON);
        // With the weaker arithmetic, bounded quantifiers that are true stay open.
        properties.setProperty(StrategyProperties.NON_LIN_ARITH_OPTIONS_KEY,
                StrategyProperties.NON_LIN_ARITH_COMPLETION);
        properties.setProperty(StrategyProperties.QUANTIFIERS_OPTIONS_KEY,
                StrategyProperties.QUANTIFIERS_INSTANTIATE);
        properties.setProperty(StrategyProperties.CLASS_AXIOM_OPTIONS_KEY, StrategyProperties.CLASS_AXIOM_FREE);
        properties.setProperty(StrategyProperties.STOPMODE_OPTIONS_KEY, StrategyProperties.STOPMODE_NONCLOSE);
        settings.setActiveStrategyProperties(properties);
        proof.setActiveStrategy(
                proof.getServices().getProfile().getDefaultStrategyFactory().create(proof, properties));
    }
}
