package dev.skep.testkit.acp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is wrong with a fixture agent from its start, and what it says that it can do. */
final class FixtureFaults {
    private final List<String> words;

    private FixtureFaults(List<String> words) {
        this.words = words;
    }

    static FixtureFaults of(String[] arguments, @Nullable String variable) {
        List<String> words = new ArrayList<>(Arrays.asList(arguments));
        if (variable != null && !variable.isBlank()) {
            words.addAll(List.of(variable.strip().split(" +")));
        }
        return new FixtureFaults(words);
    }

    static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static void crash(int status) {
        System.err.println("fixture agent: told to crash");
        System.err.flush();
        Runtime.getRuntime().halt(status);
    }

    private boolean has(String word) {
        return words.contains(word);
    }

    /** The values of words such as {@code silent=METHOD}. */
    private List<String> values(String name) {
        return words.stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .toList();
    }

    void atStart(FixturePeer peer) {
        if (values("crash").contains("start")) {
            crash(3);
        }
        for (String lines : values("garbage")) {
            for (int i = 0; i < Integer.parseInt(lines); i++) {
                peer.raw("Welcome to the fixture, line " + i + "\n");
            }
        }
        while (has("flood=start")) {
            peer.update("none", FixtureTurn.chunk("agent_message_chunk", "x".repeat(1_000)));
        }
    }

    /** Whether nothing more is done about a message. */
    boolean holdsUp(String method, @Nullable Object id, FixturePeer peer) {
        if (values("crash").contains(method)) {
            crash(3);
        }
        for (String slow : values("slow")) {
            if (slow.startsWith(method + ":")) {
                pause(Long.parseLong(slow.substring(method.length() + 1)));
            }
        }
        if (method.equals("session/new") && has("sign-in")) {
            peer.error(id, -32_000, "Authentication required");
            return true;
        }
        if (values("refuse").contains(method)) {
            peer.error(id, -32_603, "told to refuse " + method);
            return true;
        }
        return values("silent").contains(method);
    }

    Map<String, Object> description() {
        Map<String, Object> sessions = new LinkedHashMap<>();
        if (!has("no-resume")) {
            sessions.put("resume", Map.of());
        }
        if (!has("no-close")) {
            sessions.put("close", Map.of());
        }
        List<String> version = values("version");
        return FixtureJson.of(
                "protocolVersion",
                version.isEmpty() ? 1 : Integer.parseInt(version.getFirst()),
                "agentInfo",
                FixtureJson.of("name", "fixture", "title", "Fixture", "version", "1.2.3"),
                "agentCapabilities",
                FixtureJson.of(
                        "loadSession",
                        !has("no-load"),
                        "promptCapabilities",
                        FixtureJson.of("image", !has("no-image")),
                        "mcpCapabilities",
                        FixtureJson.of("http", !has("no-http"), "sse", false),
                        "sessionCapabilities",
                        sessions),
                "authMethods",
                List.of(FixtureJson.of("id", "login", "name", "Sign in")));
    }

    /** Modes and models, where it is told to have some. */
    Map<String, Object> choices() {
        Map<String, Object> choices = new LinkedHashMap<>();
        offer(choices, "modes", "currentModeId", "availableModes", "id");
        offer(choices, "models", "currentModelId", "availableModels", "modelId");
        return choices;
    }

    private void offer(
            Map<String, Object> to, String word, String current, String available, String id) {
        for (String offered : values(word)) {
            List<String> names = List.of(offered.split(","));
            to.put(
                    word,
                    FixtureJson.of(
                            current,
                            names.getFirst(),
                            available,
                            names.stream()
                                    .map(name -> (Object) FixtureJson.of(id, name, "name", name))
                                    .toList()));
        }
    }
}
