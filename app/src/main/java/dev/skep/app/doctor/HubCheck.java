package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.HttpApiClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks every hub that this host joined or is configured to join: whether it answers, whether it
 * is the same hub, and its time.
 */
final class HubCheck implements Check {
    private static final String HUB = "hub";
    private static final String CLOCK = "clock";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** A clock this far off should be set; an hour keeps a host from enrolling. */
    private static final Duration OFF = Duration.ofSeconds(30);

    private static final Duration REFUSED = Duration.ofHours(1);

    private final Configuration configuration;
    private final InstantSource clock;

    HubCheck(Configuration configuration, InstantSource clock) {
        this.configuration = configuration;
        this.clock = clock;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        Map<String, Optional<JoinedHub>> hubs = hubs(found);
        if (hubs.isEmpty() && found.isEmpty()) {
            found.add(Finding.ok(HUB, "no other: this data dir works alone"));
        }
        try (HttpClient client = HttpApiClient.newClient()) {
            hubs.forEach((url, joined) -> found.addAll(look(client, url, joined)));
        }
        return found;
    }

    /** Addresses, each with how the hub was when this host joined it. */
    private Map<String, Optional<JoinedHub>> hubs(List<Finding> problems) {
        Map<String, Optional<JoinedHub>> hubs = new LinkedHashMap<>();
        String own = ownHub();
        for (URI address : configuration.links().hubs()) {
            try {
                String base =
                        HubUrl.of(address.toString(), configuration.listener().plainOffLoopback())
                                .base();
                hubs.put(base, Optional.empty());
            } catch (SkepException plain) {
                problems.add(Finding.problem(HUB, plain));
            }
        }
        for (HostKind kind : HostKind.values()) {
            content(kind).stream()
                    .flatMap(content -> content.hubs().stream())
                    .filter(hub -> !hub.hubId().equals(own))
                    .forEach(hub -> hubs.put(hub.url(), Optional.of(hub)));
        }
        return hubs;
    }

    /** The hub of the same data dir, which listens only while its process runs. */
    private String ownHub() {
        return content(HostKind.HUB).map(content -> content.host().value()).orElse("");
    }

    private Optional<HostKeyFile.Content> content(HostKind kind) {
        try {
            return HostKeyFile.in(configuration.dataDir(), kind).read();
        } catch (SkepException reportedByTheKeyCheck) {
            return Optional.empty();
        }
    }

    private List<Finding> look(HttpClient client, String url, Optional<JoinedHub> known) {
        try {
            String hubId =
                    new HttpApiClient(client, url, Optional.empty())
                            .post("/api/link/challenge", Map.of())
                            .fields()
                            .text("hubId");
            List<Finding> found = new ArrayList<>();
            if (known.filter(hub -> !hub.hubId().equals(hubId)).isPresent()) {
                found.add(
                        Finding.problem(
                                HUB,
                                "%s is now hub %s, not the one this host enrolled with"
                                        .formatted(url, hubId),
                                "if that is right, run: skep enrol %s --code CODE".formatted(url)));
            } else {
                String standing = known.map(HubCheck::standing).orElse("not enrolled yet");
                found.add(Finding.ok(HUB, "%s answers as %s, %s".formatted(url, hubId, standing)));
            }
            found.addAll(clock(client, url));
            return found;
        } catch (SkepException failure) {
            return List.of(Finding.problem(HUB, failure));
        }
    }

    private static String standing(JoinedHub hub) {
        return hub.allows()
                .map(allows -> "enrolled, may: " + allows)
                .orElse("enrolled; the next start decides what it may do");
    }

    /** By the Date header, which counts whole seconds: enough for what matters here. */
    private List<Finding> clock(HttpClient client, String url) {
        try {
            Instant before = clock.instant();
            HttpResponse<Void> answer =
                    client.send(
                            HttpRequest.newBuilder(URI.create(url + "/healthz"))
                                    .timeout(PATIENCE)
                                    .build(),
                            BodyHandlers.discarding());
            Duration taken = Duration.between(before, clock.instant());
            Optional<String> date = answer.headers().firstValue("Date");
            if (date.isEmpty()) {
                return List.of();
            }
            Instant theirs =
                    ZonedDateTime.parse(date.get(), DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
            Instant ours = before.plus(taken.dividedBy(2));
            return List.of(judge(url, Duration.between(theirs, ours)));
        } catch (IOException | DateTimeParseException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    static Finding judge(String url, Duration ahead) {
        Duration off = ahead.abs();
        String says =
                "this machine's clock is %s %s that of %s"
                        .formatted(shown(off), ahead.isNegative() ? "behind" : "ahead of", url);
        String fix = "set the one that is wrong (timedatectl set-ntp true)";
        if (off.compareTo(REFUSED) >= 0) {
            return Finding.problem(CLOCK, says + ", too far to enrol", fix);
        }
        return off.compareTo(OFF) >= 0
                ? Finding.warning(CLOCK, says, fix)
                : Finding.ok(CLOCK, "this machine and %s agree on the time".formatted(url));
    }

    private static String shown(Duration off) {
        return off.compareTo(Duration.ofMinutes(2)) < 0
                ? off.toSeconds() + " s"
                : off.toMinutes() + " min";
    }
}
