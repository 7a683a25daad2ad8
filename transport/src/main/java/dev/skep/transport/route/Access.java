package dev.skep.transport.route;

import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who may use a route. The process itself and its command line may use everything.
 *
 * @param role what an operator must at least be
 */
public record Access(Set<Kind> kinds, Role role) {
    /** Kinds of callers; {@code ANYONE} includes those who did not say who they are. */
    public enum Kind {
        ANYONE,
        /** Whoever asks from this machine, by a loopback name. */
        LOOPBACK,
        OPERATOR,
        HOST,
        AGENT
    }

    public Access {
        kinds = Set.copyOf(kinds);
    }

    public static Access anyone() {
        return new Access(Set.of(Kind.ANYONE), Role.VIEWER);
    }

    public static Access operators(Role atLeast) {
        return new Access(Set.of(Kind.OPERATOR), atLeast);
    }

    public static Access hosts() {
        return new Access(Set.of(Kind.HOST), Role.ADMIN);
    }

    public static Access agents() {
        return new Access(Set.of(Kind.AGENT), Role.ADMIN);
    }

    /** Only the process itself and its command line. */
    public static Access local() {
        return new Access(Set.of(), Role.ADMIN);
    }

    public Access orHosts() {
        return or(Kind.HOST);
    }

    public Access orAgents() {
        return or(Kind.AGENT);
    }

    public Access orLoopback() {
        return or(Kind.LOOPBACK);
    }

    private Access or(Kind kind) {
        Set<Kind> more = EnumSet.of(kind);
        more.addAll(kinds);
        return new Access(more, role);
    }

    public boolean needsNobody() {
        return kinds.contains(Kind.ANYONE);
    }

    /** Whether somebody who did not say who they are may ever use it. */
    boolean admitsStrangers() {
        return needsNobody() || kinds.contains(Kind.LOOPBACK);
    }

    /** Whether this caller may use it without saying who they are. */
    boolean allowsNobody(Credentials credentials) {
        return needsNobody() || (kinds.contains(Kind.LOOPBACK) && credentials.loopback());
    }

    public boolean allows(Principal principal) {
        return needsNobody()
                || switch (principal) {
                    case Principal.Operator operator ->
                            kinds.contains(Kind.OPERATOR) && operator.role().includes(role);
                    case Principal.Host _ -> kinds.contains(Kind.HOST);
                    case Principal.Agent _ -> kinds.contains(Kind.AGENT);
                    case Principal.Local _ -> true;
                };
    }
}
