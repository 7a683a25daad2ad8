package dev.skep.testkit.server;

import dev.skep.testkit.FreePort;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/** A real Redis from a Maven package, in a folder of its own, that can be killed and started. */
public final class RedisServer implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final List<String> settings;
    private Process process;

    private RedisServer(Path folder, int port, List<String> settings) {
        this.folder = folder;
        this.port = port;
        this.settings = settings;
        this.process = launch();
    }

    /** Without any file: what it held is gone when it ends. */
    public static RedisServer forgetful(Path folder) {
        return new RedisServer(folder, FreePort.any(), List.of("--save", "", "--appendonly", "no"));
    }

    /** With an append-only file, written through once a second: the usual setting. */
    public static RedisServer lasting(Path folder) {
        return new RedisServer(
                folder,
                FreePort.any(),
                List.of("--save", "", "--appendonly", "yes", "--appendfsync", "everysec"));
    }

    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** {@code kill -9}. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Starts it again on the same port and folder. */
    public void startAgain() {
        process = launch();
    }

    private Process launch() {
        try {
            File binary = ExecutableProvider.newJarResourceProvider().get();
            List<String> command = new ArrayList<>();
            command.add(binary.getAbsolutePath());
            command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
            command.addAll(settings);
            Process started =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .start();
            awaitReady(started);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException("Redis from its Maven package did not start", e);
        }
    }

    private static void awaitReady(Process started) throws IOException {
        BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.contains("eady to accept connections")) {
                Thread.ofVirtual().start(() -> readOn(lines));
                return;
            }
        }
        throw new IOException("Redis ended with status " + started.onExit().join().exitValue());
    }

    /** Its later words are read too, so that it never waits for a reader. */
    private static void readOn(BufferedReader lines) {
        try {
            while (lines.readLine() != null) {
                // they are not needed
            }
        } catch (IOException killed) {
            // its last words are as unasked for
        }
    }

    @Override
    public void close() {
        kill();
    }
}
