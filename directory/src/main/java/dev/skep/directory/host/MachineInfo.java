package dev.skep.directory.host;

import dev.skep.directory.secret.PrivateFile;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.id.UlidSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The machine under a host. Its id comes from the system where the system has one, so that a copied
 * data dir on a second machine shows a second id; only its hash leaves the machine.
 *
 * @param id the same for every process of this machine
 * @param place the machine and the folder on it: what two copies of one host differ in
 */
public record MachineInfo(String id, String place) {
    private static final List<Path> SYSTEM_IDS =
            List.of(Path.of("/etc/machine-id"), Path.of("/var/lib/dbus/machine-id"));

    public static MachineInfo of(Path dataDir, UlidSource ids) {
        return of(dataDir, systemId().orElseGet(() -> kept(dataDir, ids)));
    }

    /** As above, for a process that keeps nothing. */
    static MachineInfo ofProcess(Path dataDir, UlidSource ids) {
        return of(dataDir, systemId().orElseGet(ids::next));
    }

    private static Optional<String> systemId() {
        return SYSTEM_IDS.stream().map(MachineInfo::text).flatMap(Optional::stream).findFirst();
    }

    private static MachineInfo of(Path dataDir, String source) {
        String id = SecretDigest.sha256("skep machine " + source).substring(0, 32);
        String folder = SecretDigest.sha256(id + real(dataDir)).substring(0, 8);
        return new MachineInfo(id, id + "-" + folder);
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty());
        } catch (IOException noSuchSystem) {
            return Optional.empty();
        }
    }

    /** For systems without an id of their own. */
    private static String kept(Path dataDir, UlidSource ids) {
        PrivateFile file = new PrivateFile(dataDir.resolve("machine-id"));
        return file.read()
                .orElseGet(
                        () -> {
                            String made = ids.next();
                            file.write(made);
                            return made;
                        });
    }

    private static Path real(Path folder) {
        try {
            return folder.toRealPath();
        } catch (IOException e) {
            return folder.toAbsolutePath().normalize();
        }
    }
}
