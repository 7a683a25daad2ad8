package dev.skep.directory.link;

import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LinkStatement;
import dev.skep.directory.host.LinkStatement.Purpose;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.row.Timestamps;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.route.JsonFields;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This host's standing with one hub. Thread-safe; calls wait for the network. */
public final class HubSession {
    private static final Logger LOG = LoggerFactory.getLogger(HubSession.class);
    private static final int TRIES = 3;
    private static final Duration CLOCK_WORTH_A_WORD = Duration.ofMinutes(5);

    private final LocalHost host;
    private final HubUrl url;
    private final Optional<String> accessKey;
    private final Consents allows;
    private final ApiClient hub;
    private final InstantSource clock;
    private boolean clockIsOff;
    private volatile boolean isThisHost;

    /**
     * Opens no connection yet.
     *
     * @param accessKey lets the host enrol by itself where it is not known
     * @param allows what the hub may do on this host, unless that was decided before
     */
    public HubSession(
            LocalHost host,
            HubUrl url,
            Optional<String> accessKey,
            Consents allows,
            HttpClient client,
            InstantSource clock) {
        this.host = host;
        this.url = url;
        this.accessKey = accessKey;
        this.allows = allows;
        this.hub = new HttpApiClient(client, url.base(), Optional.empty());
        this.clock = clock;
    }

    public HubUrl url() {
        return url;
    }

    public boolean isEnrolled() {
        return hubId().isPresent();
    }

    /** Whether the address led back to this very host when it was last asked. */
    public boolean isThisHost() {
        return isThisHost;
    }

    /** The id of the hub this host is enrolled with at the address. */
    public Optional<String> hubId() {
        return host.keys().hub(url.base()).map(JoinedHub::hubId);
    }

    /** Enrols with a pairing code and returns the org's name at the hub. */
    public String enrol(String pairingCode) {
        return enrol(Map.of("code", pairingCode));
    }

    /**
     * A fresh token for a new link, enrolling and rotating first where that is due. Ask for one per
     * connection: it lives for minutes and is checked when the link opens.
     */
    public synchronized LinkToken token() {
        if (!isEnrolled()) {
            enrolWithKey(notEnrolled());
        }
        try {
            return answered();
        } catch (SkepException refused) {
            boolean isStranger =
                    refused.code() == ErrorCode.NOT_ENROLLED
                            || refused.code() == ErrorCode.HUB_CHANGED;
            if (!isStranger) {
                throw refused;
            }
            enrolWithKey(refused);
            LOG.warn("enrolled again hub={} reason={}", url, refused.code().code());
            return answered();
        }
    }

    private LinkToken answered() {
        JoinedHub joined = host.keys().hub(url.base()).orElseThrow(this::notEnrolled);
        if (joined.keyVersion() < host.keys().newest().version()) {
            submitNewKey(joined);
        }
        HostKey key = host.keys().newest();
        Asked asked =
                ask("/api/link/token", Purpose.TOKEN, Optional.of(joined.hubId()), key, Map.of());
        JsonFields granted = asked.answer();
        if (granted.flag("rotate")) {
            host.rotateKey();
            submitNewKey(joined);
            return answered();
        }
        if (!asked.hubKey().equals(joined.hubKey())) {
            host.keys().joined(url.base(), joined.hubId(), key.version(), allows, asked.hubKey());
        }
        Duration off = Duration.ofSeconds(granted.number("clockOffSeconds"));
        warnAboutClock(off);
        return new LinkToken(
                granted.text("token"),
                joined.hubId(),
                Duration.ofSeconds(granted.number("expiresInSeconds")),
                off);
    }

    /** Nothing here depends on clocks, but people who read times do. Logged once when it begins. */
    private void warnAboutClock(Duration off) {
        boolean isOff = off.abs().compareTo(CLOCK_WORTH_A_WORD) > 0;
        if (isOff && !clockIsOff) {
            LOG.warn(
                    "this machine's clock is {} minutes {} the hub's, set the one that is wrong hub={}",
                    off.abs().toMinutes(),
                    off.isNegative() ? "behind" : "ahead of",
                    url);
        }
        clockIsOff = isOff;
    }

    private void enrolWithKey(SkepException otherwise) {
        String key = accessKey.orElseThrow(() -> otherwise);
        enrol(Map.of("accessKey", key));
    }

    private synchronized String enrol(Map<String, String> ticket) {
        HostKey key = host.keys().newest();
        Map<String, Object> more = new HashMap<>(ticket);
        more.put("name", host.name());
        Asked enrolled = ask("/api/link/enrol", Purpose.ENROL, Optional.empty(), key, more);
        host.keys().joined(url.base(), enrolled.hubId(), key.version(), allows, enrolled.hubKey());
        LOG.info(
                "enrolled hub={} hubId={} allows={}",
                url,
                enrolled.hubId(),
                host.keys().allows(url.base()));
        return enrolled.answer().text("org");
    }

    /** The key the hub knows vouches for the newest one. */
    private void submitNewKey(JoinedHub joined) {
        HostKey known =
                host.keys()
                        .version(joined.keyVersion())
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.HOST_KEY_CHANGED,
                                                "the key that %s knows is gone from the key file; let an admin run: skep hosts pair --replace %s"
                                                        .formatted(url, host.id())));
        HostKey next = host.keys().newest();
        Asked asked =
                ask(
                        "/api/link/rotate",
                        Purpose.ROTATE,
                        Optional.of(joined.hubId()),
                        next,
                        Map.of("name", host.name(), "current", known));
        host.keys().joined(url.base(), joined.hubId(), next.version(), allows, asked.hubKey());
        LOG.info("host key rotated hub={} version={}", url, next.version());
    }

    /** What a hub answered, and who it was by the challenge that this host signed. */
    private record Asked(JsonFields answer, String hubId, Optional<String> hubKey) {}

    /**
     * Gets a challenge, signs the statement over it and sends both. The statement names the dialled
     * address if the hub signs its challenges; an older hub would not understand it.
     */
    private Asked ask(
            String path,
            Purpose purpose,
            Optional<String> knownHub,
            HostKey key,
            Map<String, Object> more) {
        for (int tried = 1; ; tried++) {
            Challenge challenge =
                    Challenge.of(
                            hub.post("/api/link/challenge", Map.of("address", url.base())).fields(),
                            url,
                            host);
            String hubId = challenge.hubId();
            isThisHost = hubId.equals(host.id().value());
            if (isThisHost) {
                throw new SkepException(ErrorCode.CONFLICT, "%s is this hub itself".formatted(url));
            }
            if (knownHub.filter(known -> !known.equals(hubId)).isPresent()) {
                throw new SkepException(
                        ErrorCode.HUB_CHANGED,
                        "%s is not the hub this host enrolled with; if that is right, run: skep enrol %s --code CODE"
                                .formatted(url, url));
            }
            LinkStatement statement =
                    new LinkStatement(
                            purpose,
                            hubId,
                            challenge.nonce(),
                            host.id().value(),
                            key.publicKey(),
                            host.machine().place(),
                            Timestamps.parse(Timestamps.format(clock.instant())),
                            challenge.hubKey().map(_ -> url.base()));
            try {
                return new Asked(
                        hub.post(path, body(statement, key, more)).fields(),
                        hubId,
                        challenge.hubKey());
            } catch (SkepException refused) {
                // Behind a balancer the answer may reach another process than the challenge came
                // from.
                if (refused.code() != ErrorCode.CHALLENGE_EXPIRED || tried == TRIES) {
                    throw refused;
                }
            }
        }
    }

    private static Map<String, Object> body(
            LinkStatement statement, HostKey key, Map<String, Object> more) {
        Map<String, Object> body = new HashMap<>();
        more.forEach(
                (name, value) -> {
                    if (value instanceof HostKey current) {
                        body.put("currentKey", current.publicKey());
                        body.put("currentSignature", signature(current, statement));
                    } else {
                        body.put(name, value);
                    }
                });
        body.put("hubId", statement.hubId());
        body.put("nonce", statement.nonce());
        body.put("hostId", statement.hostId());
        body.put("publicKey", statement.publicKey());
        body.put("place", statement.place());
        body.put("at", Timestamps.format(statement.at()));
        statement.address().ifPresent(address -> body.put("address", address));
        body.put("signature", signature(key, statement));
        return body;
    }

    private static String signature(HostKey key, LinkStatement statement) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.sign(statement.bytes()));
    }

    private SkepException notEnrolled() {
        return new SkepException(
                ErrorCode.NOT_ENROLLED,
                "this host is not enrolled with %s; set HUB_ACCESS_KEY, or run: skep enrol %s --code CODE"
                        .formatted(url, url));
    }
}
