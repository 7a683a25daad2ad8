package dev.skep.fleet;

import dev.skep.app.Main;
import dev.skep.fleet.agent.AgentPackages;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An editor on the official TypeScript SDK of the Agent Client Protocol, in Node.js, that started
 * {@code skep acp}.
 */
final class OfficialEditor implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String SDK = "@agentclientprotocol/sdk";

    private final Process process;
    private final Writer commands;
    private final List<JsonNode> heard = new CopyOnWriteArrayList<>();

    private OfficialEditor(Process process) {
        this.process = process;
        this.commands = process.outputWriter();
        Thread.ofPlatform().daemon().start(this::listen);
    }

    static boolean isInstalled() {
        return AgentPackages.folderWith(SDK).isPresent()
                && AgentPackages.here().command("node").isPresent();
    }

    /** Runs {@code skep} with these arguments as its agent. */
    static OfficialEditor open(Path folder, Map<String, String> environment, String... arguments)
            throws IOException {
        Path script = Files.createTempFile(folder, "editor", ".mjs");
        try (InputStream in = OfficialEditor.class.getResourceAsStream("editor.mjs")) {
            Files.write(script, Optional.ofNullable(in).orElseThrow().readAllBytes());
        }
        List<String> words = new ArrayList<>();
        words.add(AgentPackages.here().command("node").orElseThrow().toString());
        words.add(script.toString());
        words.add(AgentPackages.folderWith(SDK).orElseThrow().toString());
        words.addAll(JavaCommand.of(Main.class, arguments));
        ProcessBuilder start = new ProcessBuilder(words);
        start.redirectError(ProcessBuilder.Redirect.INHERIT);
        start.environment().putAll(environment);
        OfficialEditor editor = new OfficialEditor(start.start());
        editor.await("loads");
        return editor;
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                heard.add(JSON.readTree(line));
            }
        } catch (IOException closed) {
            // The process is over; who awaits something says so.
        }
    }

    void does(String what, String argument) throws IOException {
        commands.write(JSON.writeValueAsString(List.of(what, argument)) + "\n");
        commands.flush();
    }

    /** What the editor told under this name, the newest; waits for the first. */
    String await(String name) {
        return await(name, 1);
    }

    /** Waits until the editor told so many things under this name. */
    String await(String name, int times) {
        Eventually.holds("the editor tells " + name, () -> told(name).size() >= times);
        return told(name).getLast();
    }

    List<String> told(String name) {
        return heard.stream().filter(each -> each.has(name)).map(each -> text(each, name)).toList();
    }

    private static String text(JsonNode line, String name) {
        return line.get(name).asString();
    }

    /** The agent's messages in one text. */
    String said() {
        return chunks("agent_message_chunk").collect(Collectors.joining());
    }

    List<String> prompts() {
        return chunks("user_message_chunk").toList();
    }

    private Stream<String> chunks(String kind) {
        return updates(kind).map(update -> update.path("content").path("text").asString());
    }

    /** The titles of tool calls, in order. */
    List<String> toolCalls() {
        return updates("tool_call").map(update -> update.path("title").asString()).toList();
    }

    private Stream<JsonNode> updates(String kind) {
        return heard.stream()
                .map(each -> each.path("update"))
                .filter(update -> update.path("sessionUpdate").asString("").equals(kind));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
