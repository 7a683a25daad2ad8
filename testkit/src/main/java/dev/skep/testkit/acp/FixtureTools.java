package dev.skep.testkit.acp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The steps of a turn that look like the use of a tool. */
final class FixtureTools {
    private static final AtomicInteger LAST = new AtomicInteger();

    private final FixturePeer peer;
    private final FixtureSession session;

    FixtureTools(FixturePeer peer, FixtureSession session) {
        this.peer = peer;
        this.session = session;
    }

    private enum Asking {
        NEVER,
        AFTER_TELLING,
        BARE
    }

    /** False if it is no such step. */
    boolean step(String verb, String rest)
            throws InterruptedException, IOException, ExecutionException {
        String[] words = rest.split(" +", 2);
        String after = words.length > 1 ? words[1] : "";
        switch (verb) {
            case "tool" -> {
                String id = begin(words[0], after, Map.of(), List.of());
                update(id, "completed", List.of(text("done")), null);
            }
            case "write" -> write(words[0], after, Asking.NEVER);
            case "run" -> run(rest, Asking.NEVER);
            case "ask" -> asked(words[0], after, Asking.AFTER_TELLING);
            case "ask-bare" -> asked(words[0], after, Asking.BARE);
            case "plan" -> plan(rest.split(" *\\| *"));
            case "diff" -> {
                String[] texts = after.split(" => ", 2);
                String id = begin("edit", "Edit " + words[0], Map.of(), List.of(words[0]));
                update(id, "completed", List.of(diff(words[0], texts[0], texts[1])), null);
            }
            case "crash-in-tool" -> {
                update(
                        begin("execute", "make all", Map.of(), List.of()),
                        "in_progress",
                        null,
                        null);
                FixtureFaults.crash(3);
            }
            case "crash-in-permission" -> {
                String id = begin("execute", "make all", Map.of(), List.of());
                var _ =
                        peer.ask(
                                "session/request_permission",
                                permission(call(id, "execute", "make all")));
                FixtureFaults.crash(3);
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void asked(String verb, String rest, Asking asking)
            throws InterruptedException, IOException, ExecutionException {
        String[] words = rest.split(" +", 2);
        if (verb.equals("write")) {
            write(words[0], words.length > 1 ? words[1] : "", asking);
        } else {
            run(rest, asking);
        }
    }

    private void write(String path, String text, Asking asking)
            throws InterruptedException, IOException, ExecutionException {
        Path file = session.folder.resolve(path);
        String old = Files.exists(file) ? Files.readString(file) : null;
        Object diff = diff(file.toString(), old, text);
        Map<String, Object> input = FixtureJson.of("path", file.toString(), "content", text);
        String id =
                asking == Asking.BARE
                        ? newId()
                        : begin("edit", "Write " + path, input, List.of(file.toString()));
        Map<String, Object> call = call(id, "edit", "Write " + path);
        call.put("rawInput", input);
        call.put("content", List.of(diff));
        call.put("locations", List.of(FixtureJson.of("path", file.toString())));
        if (refused(asking, id, call)) {
            return;
        }
        Files.writeString(file, text);
        update(id, "completed", List.of(diff), null);
    }

    private void run(String command, Asking asking)
            throws InterruptedException, IOException, ExecutionException {
        Map<String, Object> input = FixtureJson.of("command", command);
        String id = asking == Asking.BARE ? newId() : begin("execute", command, input, List.of());
        Map<String, Object> call = call(id, "execute", command);
        call.put("rawInput", input);
        if (refused(asking, id, call)) {
            return;
        }
        update(id, "in_progress", null, null);
        Process process =
                new ProcessBuilder("/bin/sh", "-c", command)
                        .directory(session.folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        process.getOutputStream().close();
        StringBuilder output = new StringBuilder();
        try (var lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                Map<String, Object> piece =
                        FixtureJson.of("sessionUpdate", "tool_call_update", "toolCallId", id);
                Object delta = FixtureJson.of("data", line + "\n", "terminal_id", id);
                piece.put("_meta", FixtureJson.of("terminal_output_delta", delta));
                peer.update(session.id, piece);
            }
        }
        int status = process.waitFor();
        update(
                id,
                status == 0 ? "completed" : "failed",
                List.of(text(output.toString())),
                FixtureJson.of("exitCode", status));
    }

    /** Asks, if it is to ask; a cancelled permission ends the turn. */
    private boolean refused(Asking asking, String id, Map<String, Object> call)
            throws InterruptedException, ExecutionException {
        if (asking == Asking.NEVER) {
            return false;
        }
        Map<String, Object> answer = peer.ask("session/request_permission", permission(call)).get();
        String chosen = FixtureJson.text(answer, "result", "outcome", "optionId");
        if (FixtureJson.text(answer, "result", "outcome", "outcome").equals("cancelled")) {
            update(id, "failed", List.of(text("the permission was cancelled")), null);
            throw new InterruptedException();
        }
        boolean refused = !chosen.equals("proceed_7") && !chosen.equals("0-always");
        if (refused) {
            update(id, "failed", List.of(text("not allowed: " + chosen)), null);
        }
        return refused;
    }

    private Map<String, Object> permission(Map<String, Object> call) {
        return FixtureJson.of(
                "sessionId",
                session.id,
                "toolCall",
                call,
                "options",
                List.of(
                        option("0-always", "Always", "allow_always"),
                        option("proceed_7", "Proceed", "allow_once"),
                        option("no#1", "Reject", "reject_once")));
    }

    private static Object option(String id, String name, String kind) {
        return FixtureJson.of("optionId", id, "name", name, "kind", kind);
    }

    private static String newId() {
        return "call-" + ProcessHandle.current().pid() + "-" + LAST.incrementAndGet();
    }

    private String begin(
            String kind, String title, Map<String, Object> input, List<String> locations) {
        String id = newId();
        Map<String, Object> update = FixtureJson.of("sessionUpdate", "tool_call");
        update.putAll(call(id, kind, title));
        update.put("rawInput", input);
        update.put(
                "locations",
                locations.stream().map(path -> (Object) FixtureJson.of("path", path)).toList());
        peer.update(session.id, update);
        return id;
    }

    private static Map<String, Object> call(String id, String kind, String title) {
        return FixtureJson.of("toolCallId", id, "title", title, "kind", kind, "status", "pending");
    }

    private void update(
            String id, String status, @Nullable List<Object> content, @Nullable Object rawOutput) {
        Map<String, Object> update =
                FixtureJson.of(
                        "sessionUpdate", "tool_call_update", "toolCallId", id, "status", status);
        if (content != null) {
            update.put("content", content);
        }
        if (rawOutput != null) {
            update.put("rawOutput", rawOutput);
        }
        peer.update(session.id, update);
    }

    private static Object text(String text) {
        return FixtureJson.of(
                "type", "content", "content", FixtureJson.of("type", "text", "text", text));
    }

    private static Object diff(String path, @Nullable String old, String text) {
        return FixtureJson.of("type", "diff", "path", path, "oldText", old, "newText", text);
    }

    private void plan(String[] steps) {
        List<Object> entries = new ArrayList<>();
        for (int i = 0; i < steps.length; i++) {
            String status = i == 0 ? "completed" : i == 1 ? "in_progress" : "pending";
            entries.add(
                    FixtureJson.of("content", steps[i], "priority", "medium", "status", status));
        }
        peer.update(session.id, FixtureJson.of("sessionUpdate", "plan", "entries", entries));
    }
}
