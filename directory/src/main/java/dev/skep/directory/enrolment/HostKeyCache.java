package dev.skep.directory.enrolment;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Which key versions of which hosts count right now, remembered for a moment: a revocation in this
 * process counts at once, one by another process on the same database within the moment.
 * Thread-safe.
 */
final class HostKeyCache {
    private static final Duration REMEMBERED = Duration.ofSeconds(2);

    private final Database database;
    private final HostKeyStore hosts;
    private final InstantSource clock;
    private final InstantSource steady;
    private final Map<HostId, CachedKeys> known = new ConcurrentHashMap<>();

    HostKeyCache(Database database, HostKeyStore hosts, InstantSource clock, InstantSource steady) {
        this.database = database;
        this.hosts = hosts;
        this.clock = clock;
        this.steady = steady;
    }

    private record CachedKeys(Set<String> accepted, boolean revoked, Instant until) {}

    /** Throws unless this version of the host's key is accepted for the org. */
    void check(OrgId org, HostId host, int version) {
        Instant now = steady.instant();
        CachedKeys cachedKeys =
                known.compute(
                        host,
                        (_, old) ->
                                old != null && old.until().isAfter(now) ? old : read(host, now));
        if (cachedKeys.accepted().contains(org + " " + version)) {
            return;
        }
        throw cachedKeys.revoked() ? revoked(host) : unknown(host);
    }

    void forget(HostId host) {
        known.remove(host);
    }

    private CachedKeys read(HostId host, Instant now) {
        List<EnrolledKey> versions = database.read(s -> hosts.versions(s, host));
        Set<String> accepted =
                versions.stream()
                        .filter(key -> key.isAccepted(clock.instant()))
                        .map(key -> key.org() + " " + key.version())
                        .collect(Collectors.toSet());
        boolean revoked = !versions.isEmpty() && versions.getLast().revokedAt() != null;
        return new CachedKeys(accepted, revoked, now.plus(REMEMBERED));
    }

    static SkepException revoked(HostId host) {
        return new SkepException(
                ErrorCode.HOST_REVOKED,
                "host %s was revoked; an admin lets it back in with: skep hosts pair --replace %s"
                        .formatted(host, host));
    }

    static SkepException unknown(HostId host) {
        return new SkepException(
                ErrorCode.NOT_ENROLLED,
                "host %s is not enrolled with this hub, or not with this key; run: skep enrol URL --code CODE"
                        .formatted(host));
    }
}
