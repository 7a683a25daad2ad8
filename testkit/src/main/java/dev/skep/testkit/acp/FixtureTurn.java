package dev.skep.testkit.acp;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** One turn: the steps of a prompt, on a virtual thread that a cancel interrupts. */
final class FixtureTurn {
    private final FixturePeer peer;
    private final FixtureSession session;
    private final @Nullable Object promptId;
    private final String prompt;
    private final Runnable becomeDeaf;
    private final FixtureTools tools;
    private final Thread thread;
    private final StringBuilder said = new StringBuilder();
    private final List<Runnable> afterwards = new ArrayList<>();
    private String stopReason = "end_turn";
    private boolean over;
    private @Nullable Map<String, Object> usage;
    private volatile boolean ignoresCancel;

    FixtureTurn(
            FixturePeer peer,
            FixtureSession session,
            @Nullable Object promptId,
            String prompt,
            Runnable becomeDeaf) {
        this.peer = peer;
        this.session = session;
        this.promptId = promptId;
        this.prompt = prompt;
        this.becomeDeaf = becomeDeaf;
        this.tools = new FixtureTools(peer, session);
        this.thread = Thread.ofVirtual().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void cancel() {
        if (!ignoresCancel) {
            thread.interrupt();
        }
    }

    static Map<String, Object> chunk(String kind, String text) {
        return FixtureJson.of(
                "sessionUpdate", kind, "content", FixtureJson.of("type", "text", "text", text));
    }

    private void run() {
        session.remember("user", prompt);
        try {
            List<String> steps =
                    prompt.lines()
                            .map(line -> line.strip().replaceFirst("^A person says: (?=!)", ""))
                            .filter(line -> line.startsWith("!"))
                            .toList();
            if (steps.isEmpty()) {
                say("heard: " + prompt.lines().reduce("", (_, last) -> last));
            }
            for (String step : steps) {
                String[] words = step.substring(1).split(" ", 2);
                if (!over) {
                    step(words[0], words.length > 1 ? words[1].strip() : "");
                }
            }
        } catch (InterruptedException e) {
            stopReason = "cancelled";
        } catch (IOException | ExecutionException | RuntimeException e) {
            if (Thread.interrupted()) {
                stopReason = "cancelled";
            } else {
                say("failed: " + e);
            }
        }
        if (!ignoresCancel) {
            answer();
        }
    }

    private void answer() {
        session.remember("agent", said.toString());
        session.turn = null;
        if (!stopReason.isEmpty()) {
            Map<String, Object> result = FixtureJson.of("stopReason", stopReason);
            if (usage != null) {
                result.put("usage", usage);
            }
            peer.result(promptId, result);
        }
        afterwards.forEach(Runnable::run);
    }

    private void say(String text) {
        said.append(text);
        peer.update(session.id, chunk("agent_message_chunk", text.replace("\\n", "\n")));
    }

    private void step(String verb, String rest)
            throws InterruptedException, IOException, ExecutionException {
        String[] words = rest.split(" +");
        switch (verb) {
            case "say" -> say(rest);
            case "pieces" -> pieces(rest.split(" +", 3));
            case "message" -> {
                Map<String, Object> update = chunk("agent_message_chunk", after(rest));
                update.put("messageId", words[0]);
                peer.update(session.id, update);
            }
            case "think" -> peer.update(session.id, chunk("agent_thought_chunk", rest));
            case "burst" -> {
                for (int i = 1; i <= Integer.parseInt(rest); i++) {
                    say(i + " ");
                }
            }
            case "mode" -> tell("current_mode_update", "currentModeId", rest);
            case "usage" -> reportUsage(words);
            case "cost" ->
                    tell(
                            "usage_update",
                            "used",
                            Long.valueOf(words[0]),
                            "size",
                            Long.valueOf(words[1]),
                            "cost",
                            FixtureJson.of("amount", Double.valueOf(words[2]), "currency", "USD"));
            case "late" -> afterwards.add(() -> late(Long.parseLong(words[0]), after(rest)));
            case "sleep" -> Thread.sleep(Long.parseLong(rest));
            case "wait" -> Thread.sleep(Long.MAX_VALUE);
            case "stop" -> end(rest);
            case "error" -> {
                peer.error(promptId, Integer.parseInt(words[0]), after(rest));
                end("");
            }
            case "silent" -> {
                ignoresCancel = true;
                end("");
            }
            case "deaf" -> becomeDeaf.run();
            case "env" -> say(rest + "=" + System.getenv(rest));
            case "cwd" -> say(session.folder.toString());
            case "history" -> {
                var lines = session.history();
                say(
                        lines.size()
                                + " lines, the last: "
                                + FixtureJson.text(lines.getLast(), "text"));
            }
            case "request" -> request(rest);
            case "notify" -> peer.tell(rest, FixtureJson.of("sessionId", session.id));
            case "mcp" -> say(mcp("tools/call", words[0], after(rest)));
            case "mcp-list" -> say(mcp("tools/list", "", "{}"));
            case "model" -> model(rest.split(" +", 4));
            case "garbage" -> {
                for (int i = 0; i < Integer.parseInt(rest); i++) {
                    peer.raw("this is no message, line " + i + "\n");
                }
            }
            case "long" -> say("x".repeat(Integer.parseInt(rest)));
            case "flood" -> {
                while (true) {
                    peer.update(session.id, chunk("agent_message_chunk", "x".repeat(1_000)));
                }
            }
            case "stderr" -> System.err.println(rest);
            case "crash" -> FixtureFaults.crash(rest.isEmpty() ? 3 : Integer.parseInt(rest));
            default -> {
                if (!tools.step(verb, rest)) {
                    say("there is no step " + verb);
                }
            }
        }
    }

    private void end(String reason) {
        stopReason = reason;
        over = true;
    }

    private static String after(String rest) {
        int space = rest.indexOf(' ');
        return space < 0 ? "" : rest.substring(space + 1);
    }

    private void tell(String kind, Object... values) {
        Map<String, Object> update = FixtureJson.of("sessionUpdate", kind);
        update.putAll(FixtureJson.of(values));
        peer.update(session.id, update);
    }

    private void pieces(String[] words) throws InterruptedException {
        int count = Integer.parseInt(words[0]);
        String text = words[2];
        for (int i = 0; i < count; i++) {
            say(text.substring(text.length() * i / count, text.length() * (i + 1) / count));
            Thread.sleep(Long.parseLong(words[1]));
        }
    }

    private void late(long millis, String text) {
        Thread.ofVirtual()
                .start(
                        () -> {
                            FixtureFaults.pause(millis);
                            peer.update(session.id, chunk("agent_message_chunk", text));
                        });
    }

    private void reportUsage(String[] words) {
        long in = Long.parseLong(words[0]);
        long out = Long.parseLong(words[1]);
        long cached = words.length > 2 ? Long.parseLong(words[2]) : 0;
        usage =
                FixtureJson.of(
                        "inputTokens",
                        in,
                        "outputTokens",
                        out,
                        "cachedReadTokens",
                        cached,
                        "totalTokens",
                        in + out + cached);
    }

    private void request(String method) throws InterruptedException, ExecutionException {
        Map<String, Object> answer =
                peer.ask(method, FixtureJson.of("sessionId", session.id, "path", "/etc/passwd"))
                        .get();
        say(method + ": " + FixtureJson.write(answer.getOrDefault("error", answer.get("result"))));
    }

    private String mcp(String method, String tool, String arguments) throws IOException {
        Map<String, Object> params =
                method.equals("tools/call")
                        ? FixtureJson.of(
                                "name",
                                tool,
                                "arguments",
                                FixtureJson.read(arguments.isBlank() ? "{}" : arguments))
                        : Map.of();
        String body = FixtureCalls.mcp(session.servers, method, params);
        String json =
                body.lines()
                        .filter(line -> line.startsWith("data:"))
                        .map(line -> line.substring(5).strip())
                        .reduce(body, (_, last) -> last);
        if (!json.startsWith("{")) {
            return json;
        }
        Object answer = FixtureJson.read(json);
        List<Object> listed = FixtureJson.list(FixtureJson.at(answer, "result", "tools"));
        if (!listed.isEmpty()) {
            return String.join(
                    " ", listed.stream().map(each -> FixtureJson.text(each, "name")).toList());
        }
        String text = FixtureJson.text(answer, "result", "content", 0, "text");
        return text.isEmpty() ? json : text;
    }

    private void model(String[] words) throws IOException {
        FixtureCalls.Answer answer =
                FixtureCalls.model(words[0], words[1], Integer.parseInt(words[2]), words[3]);
        say(answer.status() + " " + FixtureCalls.words(answer));
    }
}
