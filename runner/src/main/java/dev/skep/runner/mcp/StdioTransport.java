package dev.skep.runner.mcp;

import dev.skep.runner.mcp.ServerFailure.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server that is a program: one JSON object a line on its input and output. What it says while
 * nobody asks waits in its pipe, so a program that floods stops by itself.
 */
final class StdioTransport implements McpTransport {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** How long a program may take to read what it is sent besides requests. */
    private static final Duration TELLING = Duration.ofSeconds(1);

    /** A line of the program, or why there are no more. */
    private record Heard(@Nullable String line, String end) {}

    private final ServerPrograms.Started program;
    private final BlockingQueue<Heard> incoming = new SynchronousQueue<>();
    private final BlockingQueue<byte[]> outgoing = new SynchronousQueue<>();
    private final Thread reader;
    private final Thread writer;
    private volatile boolean open = true;
    private boolean toolsChanged;

    StdioTransport(String name, ServerPrograms.Started program) {
        this.program = program;
        this.reader =
                Thread.ofPlatform().daemon().name("mcp-" + name + "-reads").start(this::readAll);
        this.writer =
                Thread.ofPlatform().daemon().name("mcp-" + name + "-writes").start(this::writeAll);
    }

    private void readAll() {
        BoundedLines lines = new BoundedLines(program.output(), LONGEST);
        try {
            String end = "";
            try {
                for (String line = lines.next(); line != null; line = lines.next()) {
                    if (!line.isBlank()) {
                        incoming.put(new Heard(line, ""));
                    }
                }
            } catch (BoundedLines.TooLong tooLong) {
                end = String.valueOf(tooLong.getMessage());
            } catch (IOException closed) {
                end = "";
            }
            Heard last = new Heard(null, end);
            while (open) {
                incoming.put(last);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeAll() {
        try (OutputStream input = program.input()) {
            while (open) {
                input.write(outgoing.take());
                input.flush();
            }
        } catch (IOException gone) {
            // The reader tells that the program ended.
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public JsonNode request(ObjectNode message, Duration timeout)
            throws ServerFailure, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        if (!send(message, timeout)) {
            throw gone(Kind.GONE, "does not read what it is sent");
        }
        for (int skipped = 0; skipped < MOST_SKIPPED; skipped++) {
            Heard heard = incoming.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (heard == null) {
                throw ServerFailure.late(timeout);
            }
            if (heard.line() == null) {
                throw gone(Kind.GONE, ended(heard.end()));
            }
            JsonNode answer = answer(heard.line(), message);
            if (answer != null) {
                return answer;
            }
        }
        throw gone(Kind.GONE, "sent %,d lines and no answer".formatted(MOST_SKIPPED));
    }

    private String ended(String why) {
        String errors = program.lastErrors();
        return why.isEmpty() ? errors.isBlank() ? "ended" : "ended: " + errors.strip() : why;
    }

    private @Nullable JsonNode answer(String line, ObjectNode message)
            throws ServerFailure, InterruptedException {
        JsonNode heard;
        try {
            heard = JSON.readTree(line);
        } catch (JacksonException notJson) {
            throw gone(Kind.GONE, "sent what is not JSON: " + line);
        }
        boolean answers = heard.has("result") || heard.has("error");
        if (answers && McpMessages.sameId(heard, message)) {
            return heard;
        }
        String method = heard.path("method").asString("");
        toolsChanged |= method.equals(McpMessages.TOOLS_CHANGED);
        if (!method.isEmpty() && heard.has("id")) {
            tell(McpMessages.answer(heard));
        }
        return null;
    }

    private boolean send(ObjectNode message, Duration patience) throws InterruptedException {
        byte[] line = (message + "\n").getBytes(StandardCharsets.UTF_8);
        return outgoing.offer(line, patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void tell(ObjectNode message) throws InterruptedException {
        boolean unused = send(message, TELLING);
    }

    private ServerFailure gone(Kind kind, String words) {
        ServerFailure failure = new ServerFailure(kind, words);
        close();
        return failure;
    }

    @Override
    public boolean toolsChanged() {
        boolean changed = toolsChanged;
        toolsChanged = false;
        return changed;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        reader.interrupt();
        writer.interrupt();
        program.close();
    }
}
