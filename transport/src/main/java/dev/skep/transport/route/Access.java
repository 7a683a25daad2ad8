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
public record Access(Set<Kind> kinds, Role role, Limit limit) {
    /** Kinds of callers; {@code ANYONE} includes callers without credentials. */
    public enum Kind {
        ANYONE,
        /** Any client on this machine, by a loopback name. */
        LOOPBACK,
        OPERATOR,
        HOST,
        AGENT
    }

    /** What limits requests of anonymous clients. */
    public enum Limit {
        /** Limits the requests per client address. */
        BY_ADDRESS,
        /**
         * The route's own: it counts wrong proofs, and answers only clients that proved something.
         */
        OWN,
        /** None; it costs too little, and clients need it before they can prove anything. */
        NONE
    }

    public Access {
        kinds = Set.copyOf(kinds);
    }

    public static Access anyone() {
        return new Access(Set.of(Kind.ANYONE), Role.VIEWER, Limit.BY_ADDRESS);
    }

    /** Anyone, since the call itself proves who the caller is. */
    public static Access proving() {
        return new Access(Set.of(Kind.ANYONE), Role.VIEWER, Limit.OWN);
    }

    /** Anyone, however often their address asked. */
    public static Access unlimited() {
        return new Access(Set.of(Kind.ANYONE), Role.VIEWER, Limit.NONE);
    }

    public static Access operators(Role atLeast) {
        return new Access(Set.of(Kind.OPERATOR), atLeast, Limit.BY_ADDRESS);
    }

    public static Access hosts() {
        return new Access(Set.of(Kind.HOST), Role.ADMIN, Limit.BY_ADDRESS);
    }

    public static Access agents() {
        return new Access(Set.of(Kind.AGENT), Role.ADMIN, Limit.BY_ADDRESS);
    }

    /** Only the process itself and its command line. */
    public static Access local() {
        return new Access(Set.of(), Role.ADMIN, Limit.BY_ADDRESS);
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
        return new Access(more, role, limit);
    }

    /** Whether limits by address do not count here. */
    boolean hasOwnRateLimit() {
        return limit != Limit.BY_ADDRESS;
    }

    /** Whether an answer means that the caller has proven who they are. */
    boolean isProof() {
        return limit == Limit.OWN;
    }

    public boolean allowsAnonymous() {
        return kinds.contains(Kind.ANYONE);
    }

    /** Whether callers without credentials may ever use it. */
    boolean admitsStrangers() {
        return allowsAnonymous() || kinds.contains(Kind.LOOPBACK);
    }

    /** Whether this caller may use it without saying who they are. */
    boolean allowsNobody(Credentials credentials) {
        return allowsAnonymous() || (kinds.contains(Kind.LOOPBACK) && credentials.loopback());
    }

    public boolean allows(Principal principal) {
        return allowsAnonymous()
                || switch (principal) {
                    case Principal.Operator operator ->
                            kinds.contains(Kind.OPERATOR) && operator.role().includes(role);
                    case Principal.Host _ -> kinds.contains(Kind.HOST);
                    case Principal.Agent _ -> kinds.contains(Kind.AGENT);
                    case Principal.Local _ -> true;
                };
    }
}
