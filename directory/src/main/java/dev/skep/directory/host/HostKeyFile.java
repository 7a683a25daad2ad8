package dev.skep.directory.host;

import dev.skep.directory.secret.PrivateFile;
import dev.skep.directory.secret.SigningKey;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file that identifies a host: its id, its keys (two during a rotation) and the hubs it is
 * enrolled with. It is plain text, so that it can be read, and copied to a restored machine.
 */
public final class HostKeyFile {
    private static final String HEADER = "skep host key; keep it secret, back it up";

    private final PrivateFile file;

    public HostKeyFile(Path path) {
        this(new PrivateFile(path));
    }

    private HostKeyFile(PrivateFile file) {
        this.file = file;
    }

    /** The keys of a host that ends with its process. */
    static HostKeyFile inMemory() {
        return new HostKeyFile(PrivateFile.inMemory());
    }

    /** The key file of a data dir's runner or hub. */
    public static HostKeyFile in(Path dataDir, HostKind kind) {
        return new HostKeyFile(dataDir.resolve(kind.stored() + ".key"));
    }

    public Path path() {
        return file.path();
    }

    /** What the file holds; the newest key stands last. */
    public record Content(HostId host, List<HostKey> keys, List<JoinedHub> hubs) {
        public Content {
            keys = List.copyOf(keys);
            hubs = List.copyOf(hubs);
        }

        public HostKey newest() {
            return keys.getLast();
        }
    }

    public Optional<Content> read() {
        return file.read().map(this::parse);
    }

    public void write(Content content) {
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        text.append("host ").append(content.host()).append('\n');
        for (HostKey key : content.keys()) {
            text.append("key %d %s\n".formatted(key.version(), key.pair().secret()));
        }
        for (JoinedHub hub : content.hubs()) {
            text.append("hub %s %s %d".formatted(hub.url(), hub.hubId(), hub.keyVersion()));
            hub.allows().ifPresent(allows -> text.append(' ').append(allows));
            // Its place is behind what the hub may do, which is decided before a hub is dialled.
            hub.hubKey()
                    .filter(_ -> hub.allows().isPresent())
                    .ifPresent(key -> text.append(' ').append(key));
            text.append('\n');
        }
        file.write(text.toString());
    }

    private Content parse(String text) {
        Optional<HostId> host = Optional.empty();
        List<HostKey> keys = new ArrayList<>();
        List<JoinedHub> hubs = new ArrayList<>();
        try {
            for (String line : text.lines().skip(1).toList()) {
                String[] words = line.split(" ", -1);
                switch (words[0]) {
                    case "host" -> host = Optional.of(new HostId(words[1]));
                    case "key" ->
                            keys.add(
                                    new HostKey(
                                            Integer.parseInt(words[1]),
                                            SigningKey.parse(words[2])));
                    case "hub" -> hubs.add(hub(words));
                    default -> throw new IllegalArgumentException(words[0]);
                }
            }
            if (keys.isEmpty()) {
                throw new IllegalArgumentException("no key");
            }
            return new Content(host.orElseThrow(), keys, hubs);
        } catch (RuntimeException e) {
            // Without its cause, which would quote the line.
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "%s is not a host key file; restore it from a backup or move it aside"
                            .formatted(file.path()));
        }
    }

    private static JoinedHub hub(String... words) {
        return new JoinedHub(
                words[1],
                words[2],
                Integer.parseInt(words[3]),
                words.length > 4 ? Optional.of(Consents.parse(words[4])) : Optional.empty(),
                words.length > 5 ? Optional.of(words[5]) : Optional.empty());
    }
}
