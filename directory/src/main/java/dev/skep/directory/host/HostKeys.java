package dev.skep.directory.host;

import dev.skep.directory.secret.SigningKey;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.event.EventBus;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** A host's keys and the hubs that know them, kept in its key file. Thread-safe. */
public final class HostKeys {
    private final HostKeyFile file;
    private final SecureRandom random;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private HostKeyFile.Content content;

    HostKeys(HostKeyFile file, HostKeyFile.Content content, SecureRandom random) {
        this.file = file;
        this.content = content;
        this.random = random;
    }

    public synchronized HostKey newest() {
        return content.newest();
    }

    public synchronized List<HostKey> all() {
        return content.keys();
    }

    public synchronized Optional<HostKey> version(int version) {
        return content.keys().stream().filter(key -> key.version() == version).findFirst();
    }

    /** Makes the next version; the one before stays until every hub knows the new one. */
    public synchronized HostKey rotate() {
        HostKey next = new HostKey(content.newest().version() + 1, SigningKey.generate(random));
        List<HostKey> keys = new ArrayList<>(content.keys());
        keys.add(next);
        keep(new HostKeyFile.Content(content.host(), keys, content.hubs()));
        return next;
    }

    public synchronized List<JoinedHub> hubs() {
        return content.hubs();
    }

    public synchronized Optional<JoinedHub> hub(String url) {
        return content.hubs().stream().filter(hub -> hub.url().equals(url)).findFirst();
    }

    /**
     * Remembers a hub as it is now and forgets the keys no hub needs any more.
     *
     * @param unlessKnown what it may do, if this host has not decided that before
     */
    public void joined(String url, String hubId, int keyVersion, Consents unlessKnown) {
        joined(url, hubId, keyVersion, unlessKnown, Optional.empty());
    }

    /**
     * The same with the key that the hub proved itself with.
     *
     * @param hubKey empty for one that does not
     */
    public void joined(
            String url,
            String hubId,
            int keyVersion,
            Consents unlessKnown,
            Optional<String> hubKey) {
        changeHubs(
                hubs -> {
                    Consents allows = decided(hubs, url).orElse(unlessKnown);
                    hubs.removeIf(other -> other.url().equals(url));
                    hubs.add(new JoinedHub(url, hubId, keyVersion, Optional.of(allows), hubKey));
                    return hubs;
                });
    }

    private static Optional<Consents> decided(List<JoinedHub> hubs, String url) {
        return hubs.stream()
                .filter(hub -> hub.url().equals(url))
                .findFirst()
                .flatMap(JoinedHub::allows);
    }

    /** What the hub at this address may do; nothing if this host is not enrolled there. */
    public Consents allows(String url) {
        return hub(url).flatMap(JoinedHub::allows).orElse(Consents.NONE);
    }

    /** Decides what a hub may do from now on; false if this host is not enrolled there. */
    public boolean allow(String url, Consents consents) {
        if (hub(url).isEmpty()) {
            return false;
        }
        decide(hub -> hub.url().equals(url) ? Optional.of(consents) : hub.allows());
        return true;
    }

    /** Decides anew for every hub; nothing is written where nothing changes. */
    void decide(Function<JoinedHub, Optional<Consents>> decision) {
        List<JoinedHub> before = hubs();
        UnaryOperator<JoinedHub> decided =
                hub ->
                        new JoinedHub(
                                hub.url(),
                                hub.hubId(),
                                hub.keyVersion(),
                                decision.apply(hub),
                                hub.hubKey());
        if (!before.stream().map(decided).toList().equals(before)) {
            changeHubs(
                    hubs -> {
                        hubs.replaceAll(decided);
                        return hubs;
                    });
        }
    }

    public void left(String url) {
        changeHubs(
                hubs -> {
                    hubs.removeIf(other -> other.url().equals(url));
                    return hubs;
                });
    }

    /** Runs the listener after a hub was joined or left, until the subscription is closed. */
    public EventBus.Subscription onHubs(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    private void changeHubs(UnaryOperator<List<JoinedHub>> change) {
        keepHubs(change);
        // Outside the lock: a listener may wait for a thread that needs it.
        listeners.forEach(Runnable::run);
    }

    private synchronized void keepHubs(UnaryOperator<List<JoinedHub>> change) {
        List<JoinedHub> hubs = change.apply(new ArrayList<>(content.hubs()));
        int newest = content.newest().version();
        int oldest = hubs.stream().mapToInt(JoinedHub::keyVersion).min().orElse(newest);
        List<HostKey> keys =
                content.keys().stream()
                        .filter(key -> key.version() >= Math.min(oldest, newest))
                        .toList();
        keep(new HostKeyFile.Content(content.host(), keys, hubs));
    }

    private void keep(HostKeyFile.Content changed) {
        file.write(changed);
        content = changed;
    }
}
