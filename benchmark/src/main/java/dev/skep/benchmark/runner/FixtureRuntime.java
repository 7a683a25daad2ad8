package dev.skep.benchmark.runner;

import dev.skep.testkit.acp.FixtureAgent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A data dir in which agents have the fixture as their runtime, without the gateway. */
final class FixtureRuntime {
    private FixtureRuntime() {}

    /** Writes so many agents whose first turn does these steps. */
    static void write(Path folder, int agents, String steps) throws IOException {
        Files.writeString(
                folder.resolve("runtimes.yaml"),
                """
                runtimes:
                  - name: fixture
                    command: [%s]
                    install: it comes with the tests
                    wire: anthropic
                    resume: load
                    gateway_env:
                      ANTHROPIC_BASE_URL: ${gateway.url}
                      ANTHROPIC_AUTH_TOKEN: ${gateway.token}
                """
                        .formatted(String.join(", ", FixtureAgent.command())));
        LoadedRunner.writeAgents(
                folder,
                agents,
                "runtime: fixture\nauth: login\nprompt: |\n  Begin.\n  %s\n".formatted(steps));
    }
}
