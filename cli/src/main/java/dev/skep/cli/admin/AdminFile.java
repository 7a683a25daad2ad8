package dev.skep.cli.admin;

import dev.skep.directory.secret.PrivateFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The address of the running process of a data dir, and the secret it expects. */
public final class AdminFile implements AutoCloseable {
    private final PrivateFile file;

    private AdminFile(PrivateFile file) {
        this.file = file;
    }

    /**
     * The way into one start of a process; printing it shows the address only.
     *
     * @param publicUrl how other machines reach it
     */
    public record Address(String url, String publicUrl, String secret) {
        @Override
        public String toString() {
            return url;
        }
    }

    /** Lets commands find this process, until it is closed. */
    public static AdminFile write(Path dataDir, Address address) {
        PrivateFile file = in(dataDir);
        file.write(String.join("\n", address.url(), address.publicUrl(), address.secret()) + "\n");
        return new AdminFile(file);
    }

    /** The process that wrote it may have died since. */
    public static Optional<Address> read(Path dataDir) {
        return in(dataDir)
                .read()
                .map(text -> text.lines().toList())
                .filter(lines -> lines.size() == 3)
                .map(
                        (List<String> lines) ->
                                new Address(lines.getFirst(), lines.get(1), lines.getLast()));
    }

    private static PrivateFile in(Path dataDir) {
        return new PrivateFile(dataDir.resolve("admin"));
    }

    @Override
    public void close() {
        file.delete();
    }
}
