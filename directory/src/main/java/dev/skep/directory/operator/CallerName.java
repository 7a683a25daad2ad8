package dev.skep.directory.operator;

import dev.skep.kernel.identity.Principal;
import dev.skep.store.Snapshot;

/** The name of a caller for people: its kind, and for a person the name. */
public final class CallerName {
    private CallerName() {}

    public static String of(Snapshot snapshot, Principal who) {
        return switch (who) {
            case Principal.Operator operator ->
                    "operator "
                            + OperatorStore.username(snapshot, operator)
                                    .orElse(operator.id().value());
            case Principal.Agent agent -> "agent " + agent.id();
            case Principal.Host host -> "host " + host.id();
            case Principal.Local _ -> "the command line";
        };
    }
}
