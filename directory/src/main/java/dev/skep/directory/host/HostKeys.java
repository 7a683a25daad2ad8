package dev.skep.directory.host;

import dev.skep.directory.secret.SigningKey;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
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

    /** Remembers a hub as it is now and forgets the keys no hub needs any more. */
    public void joined(JoinedHub hub) {
        changeHubs(
                hubs -> {
                    hubs.removeIf(other -> other.url().equals(hub.url()));
                    hubs.add(hub);
                    return hubs;
                });
    }

    public void left(String url) {
        changeHubs(
                hubs -> {
                    hubs.removeIf(other -> other.url().equals(url));
                    return hubs;
                });
    }

    /** Is called after a hub was joined or left. */
    public void onHubs(Runnable listener) {
        listeners.add(listener);
    }

    private void changeHubs(UnaryOperator<List<JoinedHub>> change) {
        keepHubs(change);
        // Not under the lock: whoever hears it may have to wait for somebody who needs it.
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
