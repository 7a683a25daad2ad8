package dev.skep.runner;

import dev.skep.directory.host.HostKey;
import dev.skep.directory.host.JoinedHub;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.secret.HostSeal;
import dev.skep.directory.secret.PrivateFile;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.job.SecretName;
import dev.skep.shell.redact.Redactor;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Secrets that people at hubs sealed for this host, for the files of its agents. They are in a file
 * that only its owner may read, and in no database, log or backup. A name belongs to the hub that
 * set it, and its value is used while that hub may bring what agents read. Thread-safe.
 */
public final class HostSecrets {
    private static final String FILE = "agent-secrets";
    private static final int MOST = 500;

    private final LocalHost host;
    private final PrivateFile file;
    private final Redactor redactor;
    private final Map<String, Kept> kept;

    /**
     * One secret.
     *
     * @param hub the id of the hub that set it
     * @param version lower ones come too late
     * @param value null once it was removed
     */
    private record Kept(String hub, long version, @Nullable String value) {}

    HostSecrets(Path dataDir, LocalHost host, Redactor redactor) {
        this.host = host;
        this.file = new PrivateFile(dataDir.resolve(FILE));
        this.redactor = redactor;
        this.kept = read();
        kept.values().forEach(this::hide);
    }

    private Map<String, Kept> read() {
        Map<String, Kept> all = new TreeMap<>();
        Optional<String> text = file.read();
        try {
            for (JsonFields each :
                    text.map(json -> Json.fields(json).list("secrets")).orElse(List.of())) {
                String value =
                        each.has("value") ? each.longText("value", 2 * HostSeal.LONGEST) : null;
                all.put(
                        SecretName.require(each.text("name")),
                        new Kept(each.text("hub"), each.number("version"), value));
            }
        } catch (SkepException damaged) {
            // Without its cause, which could quote a value.
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "%s cannot be read; move it aside and set the secrets again at their hubs"
                            .formatted(file.path()));
        }
        return all;
    }

    private void hide(Kept secret) {
        if (secret.value() != null) {
            redactor.learn(List.of(secret.value()));
        }
    }

    /**
     * Opens what was sealed for this host and keeps it in the place of what was there.
     *
     * @param url the address at which this host reaches the hub that brought it
     */
    public synchronized void set(String url, String name, long version, String sealed) {
        SecretName.require(name);
        String hub = hubAt(url);
        String purpose = SecretName.purpose(host.id().value(), name, version);
        String value =
                host.keys().all().reversed().stream()
                        .map(HostKey::pair)
                        .flatMap(key -> HostSeal.open(key, sealed, purpose).stream())
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.BAD_REQUEST,
                                                "secret %s is not sealed for the key of this host; set it again"
                                                        .formatted(name)));
        if (value.getBytes(StandardCharsets.UTF_8).length > HostSeal.LONGEST) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "secret %s is too long".formatted(name));
        }
        requireOwn(hub, name, version);
        if (kept.size() >= MOST && !kept.containsKey(name)) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "this host has %d secrets, the most it keeps".formatted(MOST));
        }
        Kept secret = new Kept(hub, version, value);
        // Before it is there: nothing may print it in between.
        hide(secret);
        keep(name, secret);
    }

    /** Forgets a value; the version stays, so that an older one does not come back. */
    public synchronized void remove(String url, String name, long version) {
        if (kept.containsKey(name)) {
            String hub = hubAt(url);
            requireOwn(hub, name, version);
            keep(name, new Kept(hub, version, null));
        }
    }

    private void requireOwn(String hub, String name, long version) {
        Kept before = kept.get(name);
        if (before == null) {
            return;
        }
        boolean isOthers = before.value() != null && !before.hub().equals(hub);
        if (isOthers && isAllowed(before)) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "secret %s is of the hub %s; remove it there first"
                            .formatted(name, before.hub()));
        }
        if (before.hub().equals(hub) && version <= before.version()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "secret %s was set or removed later than this; set it again".formatted(name));
        }
    }

    /** Its id: a hub may be reached at another address tomorrow. */
    private String hubAt(String url) {
        return host.keys().hub(url).map(JoinedHub::hubId).orElse(url);
    }

    private boolean isAllowed(Kept secret) {
        return host.keys().hubs().stream()
                .filter(hub -> hub.hubId().equals(secret.hub()))
                .flatMap(hub -> hub.allows().stream())
                .anyMatch(allows -> allows.has(Consent.AGENTS));
    }

    private void keep(String name, Kept secret) {
        Map<String, Kept> changed = new TreeMap<>(kept);
        changed.put(name, secret);
        List<Map<String, Object>> lines =
                changed.entrySet().stream()
                        .map(each -> line(each.getKey(), each.getValue()))
                        .toList();
        file.write(Json.text(Map.of("secrets", lines)) + "\n");
        kept.put(name, secret);
    }

    private static Map<String, Object> line(String name, Kept secret) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("name", name);
        line.put("hub", secret.hub());
        line.put("version", secret.version());
        if (secret.value() != null) {
            line.put("value", secret.value());
        }
        return line;
    }

    /** The value, if there is one and its hub may still bring it. */
    @Nullable String value(String name, Collection<String> listed) {
        return listed.contains(name) ? value(name) : null;
    }

    private synchronized @Nullable String value(String name) {
        Kept secret = kept.get(name);
        return secret == null || !isAllowed(secret) ? null : secret.value();
    }
}
