package dev.skep.dispatch.hold;

import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.wire.call.HoldState;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How far a host is with what is wanted of all agents.
 *
 * @param agents how many there are on the host
 * @param detail what people should know or do; null where all is well
 */
public record HostHold(
        String hostId, String host, State state, int agents, @Nullable String detail) {
    /** In the words of the API, in lower case. */
    public enum State {
        /** Its agents work. */
        FREE,
        /** None of its agents works. */
        HELD,
        /** It is there and has not done it yet. */
        PENDING,
        /** It is away, and does it before its agents start when it is back. */
        AWAY,
        /** Its owner lifted it there. */
        LIFTED,
        /** It does not let this hub steer its agents. */
        REFUSED,
        /** Its version knows nothing of it. */
        UNABLE;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * What is stored of a host.
     *
     * @param allows empty where it has not reported that
     * @param hold the id of the hold that it said something about last
     * @param said empty for one that never did
     */
    record Stored(
            String hostId,
            String name,
            Optional<Consents> allows,
            Optional<String> hold,
            Optional<HoldState> said) {}

    /**
     * How far it is.
     *
     * @param there whether it has a link
     */
    static HostHold of(Optional<OrgHold> wanted, Stored host, boolean there, int agents) {
        State state = state(wanted, host, there);
        return new HostHold(host.hostId(), host.name(), state, agents, detail(state, wanted));
    }

    private static State state(Optional<OrgHold> wanted, Stored host, boolean there) {
        boolean holds = host.said().filter(said -> said == HoldState.HELD).isPresent();
        if (wanted.isEmpty()) {
            if (!holds) {
                return State.FREE;
            }
            return there ? State.PENDING : State.AWAY;
        }
        if (wanted.map(OrgHold::id).equals(host.hold()) && host.said().isPresent()) {
            return switch (host.said().get()) {
                case FREE -> State.PENDING;
                case HELD -> State.HELD;
                case LIFTED -> State.LIFTED;
                case REFUSED -> State.REFUSED;
            };
        }
        if (host.allows().filter(allows -> !allows.has(Consent.STEER)).isPresent()) {
            return State.REFUSED;
        }
        if (!there) {
            return State.AWAY;
        }
        return host.said().isPresent() ? State.PENDING : State.UNABLE;
    }

    private static @Nullable String detail(State state, Optional<OrgHold> wanted) {
        return switch (state) {
            case FREE, HELD -> null;
            case PENDING -> "it has not answered yet";
            case AWAY ->
                    wanted.isPresent()
                            ? "it is away; its agents are held when it is back, before one starts"
                            : "it is away; its agents are let go when it is back";
            case LIFTED -> "its owner lifted it on the host";
            case REFUSED ->
                    "it does not let this hub steer its agents; on that host, 'skep allow' shows and changes it";
            case UNABLE -> "its version cannot be held; update it, or stop its agents one by one";
        };
    }
}
