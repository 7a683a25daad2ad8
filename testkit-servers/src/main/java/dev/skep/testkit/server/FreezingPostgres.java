package dev.skep.testkit.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A PostgreSQL of a test's own, which it may stop in its tracks or kill. */
public final class FreezingPostgres implements AutoCloseable {
    private final EmbeddedPostgres server;
    private final Path data;

    public FreezingPostgres(Path folder) throws IOException {
        data = folder.resolve("postgres");
        server =
                EmbeddedPostgres.builder()
                        .setDataDirectory(data)
                        .setServerConfig("fsync", "off")
                        .start();
    }

    /** Its database, as a user writes it. */
    public String url() {
        return "postgresql://postgres:postgres@127.0.0.1:%d/postgres".formatted(server.getPort());
    }

    /** Nothing of it moves any more, and no connection ends. */
    public void freeze() throws Exception {
        signal("-STOP");
    }

    public void thaw() throws Exception {
        signal("-CONT");
    }

    public void kill() throws Exception {
        signal("-KILL");
    }

    private void signal(String signal) throws Exception {
        long main = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
        ProcessHandle process = ProcessHandle.of(main).orElseThrow();
        List<String> all =
                Stream.concat(Stream.of(process), process.descendants())
                        .map(each -> Long.toString(each.pid()))
                        .toList();
        int status =
                new ProcessBuilder(Stream.concat(Stream.of("kill", signal), all.stream()).toList())
                        .start()
                        .waitFor();
        if (status != 0) {
            throw new IllegalStateException("kill " + signal + " ended with " + status);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
