package dev.skep.runner.runtime;

import dev.skep.shell.GuardedProgram;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/** A runtime at work, with all that it started. Thread-safe. */
public final class RuntimeProcess implements AutoCloseable {
    private final GuardedProgram program;
    private final Path home;

    RuntimeProcess(GuardedProgram program, Path home) {
        this.program = program;
        this.home = home;
    }

    /** What it says. Reading waits in the kernel: on a platform thread. */
    public InputStream output() {
        return program.output();
    }

    /** What it is told; flush to send. Writing waits while it does not read. */
    public OutputStream input() {
        return program.input();
    }

    /** The beginning and the end of what it printed on standard error; may contain secrets. */
    public String lastErrors() {
        return program.errors().text().strip();
    }

    public boolean isAlive() {
        return program.isAlive();
    }

    /** Completes when nothing of it is left. */
    public CompletableFuture<Void> ended() {
        return program.ended();
    }

    /** Empty while it runs; 128 and more is a signal, 125 to 127 that it did not start. */
    public OptionalInt exitStatus() {
        return program.exitStatus();
    }

    /** The memory of the whole tree, from {@code /proc}; shared pages count in each process. */
    public long residentBytes() {
        return program.residentBytes();
    }

    /** The agent's home for this program, where its session files are. */
    public Path home() {
        return home;
    }

    /** Ends the whole tree: end of input, TERM, KILL; nothing is left when this returns. */
    @Override
    public void close() {
        program.close();
    }
}
