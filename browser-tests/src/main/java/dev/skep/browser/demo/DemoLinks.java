package dev.skep.browser.demo;

import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.LinkView;
import dev.skep.supervisor.source.Links;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** The links of a hub: most are level, a few are behind for as long as nothing came of them. */
final class DemoLinks implements Links {
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
        Instant heard = begun.minus(DemoHealth.AWAY);
        return new LinkView(
                host.id(), host.id(), "host", "away", null, null, heard, null, 0L, null);
    }

    private LinkView behind(int i, Instant at) {
        String id = hosts.get(i).id();
        Instant heard = lately(at).minusSeconds(2 + i % 9L);
        long rows = 18_240 - i * 371L;
        long seconds = Duration.between(heard, at).toSeconds();
        return new LinkView(
                id,
                id,
                "host",
                "catching_up",
                rows,
                seconds,
                heard,
                heard.plusSeconds(1),
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
                0L,
                lately(at).minusSeconds(i % 7),
                null,
                refused ? 1L : 0L,
                refused ? TOO_LONG : null);
    }

    private static Instant lately(Instant at) {
        return at.minusSeconds(at.getEpochSecond() % STEP);
    }

    @Override
    public List<SetAside> quarantine(Principal principal, int limit) {
        return hosts.stream()
                .limit(1)
                .map(
                        host ->
                                new SetAside(
                                        "q1",
                                        host.id(),
                                        "mail_messages",
                                        "01K9Z3N7Q0",
                                        TOO_LONG,
                                        begun.minus(Duration.ofHours(3)).toString()))
                .toList();
    }
}
