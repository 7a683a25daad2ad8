package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.session.LogEntry;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.loop.LoopControls;
import dev.skep.testkit.acp.FixtureAgent;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Agents of the runtime that does what its prompts tell it. */
final class ManagedFixture {
    private ManagedFixture() {}

    static void runtime(Path dir, String name, String... faults) {
        command(dir, name, FixtureAgent.command(faults).toArray(String[]::new));
    }

    static void command(Path dir, String name, String... words) {
        try {
            Path file = dir.resolve("runtimes.yaml");
            String before = Files.exists(file) ? Files.readString(file) : "runtimes:\n";
            Files.writeString(
                    file,
                    before
                            + """
                              - name: %s
                                command: [%s]
                                install: it comes with the tests
                                wire: anthropic
                                resume: load
                                gateway_env:
                                  ANTHROPIC_BASE_URL: ${gateway.url}
                                  ANTHROPIC_AUTH_TOKEN: ${gateway.token}
                            """
                                    .formatted(name, String.join(", ", words)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An agent whose prompt has the steps of its first turn. */
    static void agent(Path dir, String name, String prompt, String more) {
        TestRunner.agent(
                dir, name, "runtime: fixture\nprompt: |\n%s%s".formatted(prompt.indent(2), more));
    }

    /** Steps must begin their line. */
    static void talk(TestRunner test, String name, String steps) {
        controls(test, name).talk("\n" + steps);
    }

    static LoopControls controls(TestRunner test, String name) {
        return test.runner.controls(name).orElseThrow();
    }

    static AgentId id(TestRunner test, String name) {
        return test.runner.agents().stream()
                .filter(agent -> agent.username().equals(name))
                .findFirst()
                .map(Agent::id)
                .orElseThrow();
    }

    static List<LogEntry> entries(TestRunner test, String name) {
        return test.runner
                .stores()
                .log()
                .tail(test.host.principal(), id(test, name), null, 100_000);
    }

    /** How its uses of tools ended, in order. */
    static List<String> toolStatuses(TestRunner test, String name) {
        return entries(test, name).stream()
                .filter(entry -> entry.type() == LogEntry.Type.TOOL_RESULT)
                .map(entry -> Json.fields(String.valueOf(entry.detail())).text("status"))
                .toList();
    }

    /** The fixture agents that work in this folder. */
    static List<ProcessHandle> processes(Path dir) {
        return ProcessHandle.allProcesses().filter(process -> isOf(process, dir)).toList();
    }

    private static boolean isOf(ProcessHandle process, Path dir) {
        try {
            return Files.readString(
                                    Path.of("/proc", Long.toString(process.pid()), "cmdline"),
                                    StandardCharsets.ISO_8859_1)
                            .contains(FixtureAgent.class.getName())
                    && Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
                            .startsWith(dir.toRealPath());
        } catch (IOException goneOrForeign) {
            return false;
        }
    }
}
