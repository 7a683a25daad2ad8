package dev.skep.runner.approval;

import dev.skep.kernel.identity.Actor;
import java.util.Optional;

/**
 * Who decided about a command: somebody on this host, or somebody at a hub, as the hub reports it.
 *
 * @param told what the hub calls the person; empty where this host knows
 */
public record Decider(Actor actor, Optional<ReportedDecider> told) {
    private static final int LONGEST_NAME = 100;

    /** What a hub says about who decided. */
    public record ReportedDecider(String by, String hub) {}

    public static Decider here(Actor actor) {
        return new Decider(actor, Optional.empty());
    }

    /** For the records only: whether a hub may decide here was checked before. */
    public static Decider at(String hub, Actor host, String name) {
        String shown =
                name.codePoints()
                        .limit(LONGEST_NAME)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString()
                        .replaceAll("\\p{Cntrl}", "?");
        return new Decider(host, Optional.of(new ReportedDecider(shown, hub)));
    }
}
