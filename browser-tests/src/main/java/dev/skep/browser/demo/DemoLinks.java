package dev.skep.browser.demo;

import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.LinkView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The links of a hub: most are level, a few are behind for as long as nothing came of them. */
final class DemoLinks implements LinkSource {
    private static final String TOO_LONG =
            "the row has 1,204,331 characters, at most 1,048,576 are allowed";

    /** Rows come in every ten seconds. */
    private static final long STEP = 10;

    private final List<DemoHost> hosts;
    private final InstantSource clock;
    private final Instant begun;

    DemoLinks(List<DemoHost> hosts, InstantSource clock) {
        this.hosts = hosts;
        this.clock = clock;
        this.begun = clock.instant();
    }

    @Override
    public List<LinkView> all(Principal principal) {
        Instant at = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        List<LinkView> links = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            DemoHost host = hosts.get(i);
            links.add(!host.isThere() ? away(host) : i % 11 == 6 ? behind(i, at) : level(i, at));
        }
        return links;
    }

    private LinkView away(DemoHost host) {
        Instant heartbeat = begun.minus(DemoHealth.AWAY);
        return new LinkView(
                host.id(), host.id(), "host", "away", null, heartbeat, null, heartbeat, null, null,
                0L, null);
    }

    private LinkView behind(int i, Instant at) {
        String id = hosts.get(i).id();
        Instant heartbeat = lately(at).minusSeconds(2 + i % 9L);
        long rows = 18_240 - i * 371L;
        return new LinkView(
                id,
                id,
                "host",
                "catching_up",
                rows,
                null,
                heartbeat,
                heartbeat,
                heartbeat.plusSeconds(1),
                heartbeat.plusSeconds(1),
                0L,
                null);
    }

    private LinkView level(int i, Instant at) {
        String id = hosts.get(i).id();
        boolean refused = i == 0;
        return new LinkView(
                id,
                id,
                "host",
                "connected",
                0L,
                null,
                null,
                lately(at).minusSeconds(i % 7),
                null,
                null,
                refused ? 1L : 0L,
                refused ? TOO_LONG : null);
    }

    private static Instant lately(Instant at) {
        return at.minusSeconds(at.getEpochSecond() % STEP);
    }

    @Override
    public List<QuarantinedRowView> quarantine(Principal principal, int limit) {
        return hosts.stream()
                .limit(1)
                .map(
                        host ->
                                new QuarantinedRowView(
                                        "q1",
                                        host.id(),
                                        "mail_messages",
                                        "01K9Z3N7Q0",
                                        TOO_LONG,
                                        begun.minus(Duration.ofHours(3)).toString()))
                .toList();
    }

    /** Each came back once after its network broke, and once after it was started anew. */
    @Override
    public List<HostConnection> connections(Principal principal, Optional<String> of, int limit) {
        return hosts.stream()
                .filter(host -> of.isEmpty() || of.get().equals(host.id()))
                .flatMap(host -> periods(host).stream())
                .sorted(Comparator.comparing(HostConnection::id).reversed())
                .limit(limit)
                .toList();
    }

    private List<HostConnection> periods(DemoHost host) {
        int number = hosts.indexOf(host);
        Instant now = begun.minus(host.isThere() ? Duration.ZERO : DemoHealth.AWAY);
        Instant third = now.minus(Duration.ofMinutes(190 + number));
        Instant second = third.minus(Duration.ofHours(26));
        Instant first = second.minus(Duration.ofDays(3));
        return List.of(
                period(host, 3, third, host.isThere() ? null : now, "the connection broke"),
                period(host, 2, second, third.minusSeconds(4), "the connection broke"),
                period(host, 1, first, second.minusSeconds(38), "the runner is shutting down"));
    }

    private HostConnection period(
            DemoHost host, int n, Instant from, @Nullable Instant until, String reason) {
        return new HostConnection(
                "%d.%s".formatted(n, host.id()),
                host.id(),
                until == null ? "connected" : "ended",
                "https://hub-1.example:4280",
                "10.0.4.%d".formatted(20 + hosts.indexOf(host) % 200),
                from,
                until,
                until == null ? null : reason);
    }
}
