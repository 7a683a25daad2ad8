package dev.skep.runner.acp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The agent's end of a connection, played line by line. */
final class RawAgent implements AutoCloseable {
    static final AcpLimits SMALL =
            new AcpLimits(
                    100_000,
                    5,
                    300_000,
                    Duration.ofMillis(500),
                    2,
                    Duration.ofMillis(200),
                    Duration.ofMillis(200),
                    Duration.ofMillis(200),
                    Duration.ofMillis(200));

    /** For agents that take a moment to start. */
    static final AcpLimits SMALL_BUT_PATIENT =
            new AcpLimits(
                    100_000,
                    5,
                    300_000,
                    Duration.ofMillis(500),
                    2,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(60));

    final List<SessionUpdate> updates = new CopyOnWriteArrayList<>();
    final CompletableFuture<String> closed = new CompletableFuture<>();
    final AcpConnection connection;
    private final OutputStream out;
    private final BufferedReader in;

    RawAgent(AcpLimits limits, RunningFixture.Decision decision) throws IOException {
        Pipe toClient = Pipe.open();
        Pipe toAgent = Pipe.open();
        out = Channels.newOutputStream(toClient.sink());
        in =
                new BufferedReader(
                        new InputStreamReader(
                                Channels.newInputStream(toAgent.source()), StandardCharsets.UTF_8));
        connection =
                AcpConnection.over(
                        Channels.newInputStream(toClient.source()),
                        Channels.newOutputStream(toAgent.sink()),
                        new AcpHandler() {
                            @Override
                            public void updated(String sessionId, SessionUpdate update) {
                                updates.add(update);
                            }

                            @Override
                            public PermissionOutcome permission(PermissionRequest request)
                                    throws InterruptedException {
                                return decision.about(request);
                            }

                            @Override
                            public void closed(String why) {
                                closed.complete(why);
                            }
                        },
                        limits);
    }

    RawAgent(AcpLimits limits) throws IOException {
        this(limits, request -> request.choose(PermissionRequest.Kind.ALLOW_ONCE));
    }

    void writes(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** What the client wrote next. */
    String reads() throws IOException {
        return in.readLine();
    }

    /** A piece of text, as a line. */
    static String chunk(String text) {
        return """
        {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s"}}}}"""
                .formatted(text);
    }

    /** Something that waits, on a thread of its own. */
    static <T> FutureTask<T> begun(java.util.concurrent.Callable<T> call) {
        FutureTask<T> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    /** What a call failed with. */
    static AcpException failure(FutureTask<?> call) throws InterruptedException {
        try {
            throw new AssertionError("it returned " + call.get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AcpException failure) {
                return failure;
            }
            throw new AssertionError("it failed in another way", e);
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
        out.close();
        in.close();
    }
}
