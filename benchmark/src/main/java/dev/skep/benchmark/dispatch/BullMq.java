package dev.skep.benchmark.dispatch;

import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.server.RedisServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * BullMQ, the queue of seed 3, fetched from its registry into the bench's own cache. Groups are not
 * in its free core, so limits per host take a queue and a worker for each; all share one process
 * and one connection. Its runs are recorded in SQL as ours are, start and end, those that wait
 * together in one statement.
 */
final class BullMq {
    private static final List<String> PACKAGES = List.of("bullmq@5", "pg@8");

    private BullMq() {}

    /** Why there is no figure. */
    static final class Unavailable extends Exception {
        private static final long serialVersionUID = 1L;

        Unavailable(String reason) {
            super(reason);
        }
    }

    /**
     * Completed jobs per second.
     *
     * @param record where its runs are recorded, or nowhere
     */
    static double jobsPerSecond(RedisServer redis, Size size, Optional<DatabaseUrl.Postgres> record)
            throws IOException, InterruptedException, Unavailable {
        Path folder = installed();
        Path script = folder.resolve("bullmq-bench.js");
        try (InputStream in = BullMq.class.getResourceAsStream("bullmq.js")) {
            if (in == null) {
                throw new IllegalStateException("bullmq.js is missing");
            }
            Files.write(script, in.readAllBytes());
        }
        List<String> command = new ArrayList<>(List.of("node", script.toString()));
        command.add(Integer.toString(redis.port()));
        command.add(Integer.toString(size.warm() + size.jobs()));
        command.add(Integer.toString(size.warm()));
        command.add(Integer.toString(DispatchBenchmark.HOSTS));
        command.add(Integer.toString(DispatchBenchmark.CLAIMERS / DispatchBenchmark.HOSTS));
        record.map(BullMq::address).ifPresent(command::add);
        return Double.parseDouble(run(folder, command, 300).strip());
    }

    private static String address(DatabaseUrl.Postgres url) {
        return "postgres://%s:%s@%s:%d/%s"
                .formatted(url.user(), url.password(), url.host(), url.port(), url.database());
    }

    private static Path installed() throws IOException, InterruptedException, Unavailable {
        String home = System.getProperty("user.home");
        String cache = System.getenv().getOrDefault("XDG_CACHE_HOME", home + "/.cache");
        Path folder = Path.of(cache, "skep", "bench", "bullmq");
        boolean complete =
                Files.isDirectory(folder.resolve("node_modules/bullmq"))
                        && Files.isDirectory(folder.resolve("node_modules/pg"));
        if (!complete) {
            Files.createDirectories(folder);
            List<String> command = new ArrayList<>(List.of("npm", "install", "--no-audit"));
            command.addAll(List.of("--no-fund", "--silent"));
            command.addAll(PACKAGES);
            run(folder, command, 120);
        }
        return folder;
    }

    private static String run(Path folder, List<String> command, int seconds)
            throws IOException, InterruptedException, Unavailable {
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
            builder.environment().putAll(Map.of("NODE_ENV", "production"));
            process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        } catch (IOException e) {
            throw new Unavailable(command.getFirst() + " is not installed");
        }
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new Unavailable(command.getFirst() + " did not end in time");
        }
        if (process.exitValue() != 0) {
            throw new Unavailable(
                    "%s ended with status %d".formatted(command.getFirst(), process.exitValue()));
        }
        return printed;
    }
}
