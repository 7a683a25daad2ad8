package dev.skep.dispatch.hold;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of all agents of an org, and how far its hosts are.
 *
 * @param held whether all are to stand still
 * @param agents how many stand still
 * @param id what it is known by; null where nothing is wanted, as all that follows
 * @param hosts those that have agents or have said something of it
 */
public record HoldView(
        boolean held,
        int agents,
        @Nullable String id,
        @Nullable String by,
        @Nullable String reason,
        @Nullable Instant since,
        List<HostOnHold> hosts) {
    /** One host; its state in lower case. */
    public record HostOnHold(
            String hostId, String host, String state, int agents, @Nullable String detail) {}

    /**
     * How it stands.
     *
     * @param agents how many each host has that has some, by its id
     * @param there whether a host has a link now
     */
    public static HoldView read(
            Snapshot snapshot,
            Principal who,
            Map<String, Integer> agents,
            Predicate<HostId> there) {
        HoldStore store = new HoldStore();
        Optional<OrgHold> wanted = store.inForce(snapshot, who);
        return of(
                wanted.orElse(null),
                store.hosts(snapshot, who).stream()
                        .filter(host -> concerns(host, agents))
                        .map(
                                host ->
                                        HostHold.of(
                                                wanted,
                                                host,
                                                there.test(new HostId(host.hostId())),
                                                agents.getOrDefault(host.hostId(), 0)))
                        .toList());
    }

    private static HoldView of(@Nullable OrgHold hold, List<HostHold> hosts) {
        return new HoldView(
                hold != null,
                hosts.stream()
                        .filter(host -> host.state() == HostHold.State.HELD)
                        .mapToInt(HostHold::agents)
                        .sum(),
                hold == null ? null : hold.id(),
                hold == null ? null : hold.by(),
                hold == null ? null : hold.reason(),
                hold == null ? null : hold.since(),
                hosts.stream()
                        .map(
                                host ->
                                        new HostOnHold(
                                                host.hostId(),
                                                host.host(),
                                                host.state().label(),
                                                host.agents(),
                                                host.detail()))
                        .toList());
    }

    /** Whether nothing is wanted, and no host still does what was wanted. */
    public boolean over() {
        return !held
                && hosts.stream()
                        .allMatch(host -> host.state().equals(HostHold.State.FREE.label()));
    }

    /** Whether a host that is there has yet to do it. */
    boolean isUnderWay() {
        return hosts.stream().anyMatch(host -> host.state().equals(HostHold.State.PENDING.label()));
    }

    /**
     * Hosts are asked for by what they have; one without agents counts once it has said something.
     */
    private static boolean concerns(HostHold.Stored host, Map<String, Integer> agents) {
        return host.said().isPresent() || agents.containsKey(host.hostId());
    }
}
