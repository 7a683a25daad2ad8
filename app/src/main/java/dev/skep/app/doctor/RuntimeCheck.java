package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.runtime.RuntimeDefinition;
import dev.skep.runner.runtime.RuntimeInventory;
import dev.skep.runner.runtime.RuntimeTable;
import dev.skep.shell.BashShells;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * For each agent whose runtime is another program: whether it can start, and what holds its costs.
 */
final class RuntimeCheck implements Check {
    private static final String CHECK = "runtime";

    private final Configuration configuration;

    RuntimeCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        RuntimeTable table = RuntimeTable.read(configuration.dataDir());
        table.problems().forEach(p -> found.add(Finding.problem(CHECK, p.toString(), "fix it")));
        List<AgentSource> managed =
                new AgentFolder(configuration.dataDir().resolve("agents"))
                        .read().agents().stream()
                                .filter(source -> source.content().isManaged())
                                .toList();
        if (managed.isEmpty()) {
            return found;
        }
        var environment = configuration.agents().environment();
        var inventory =
                new RuntimeInventory(
                        configuration.dataDir(),
                        environment.getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin"),
                        BashShells.isolated(environment, new SecureRandom()).programs());
        managed.forEach(source -> found.add(judge(inventory, table, source)));
        return found;
    }

    static Finding judge(RuntimeInventory inventory, RuntimeTable table, AgentSource source) {
        AgentFile file = source.content();
        Optional<String> refusal = inventory.refusal(file.runtime());
        if (refusal.isPresent()) {
            String why = refusal.get();
            int end = why.lastIndexOf("; ");
            return Finding.problem(
                    CHECK,
                    "%s: %s".formatted(source.username(), why.substring(0, end)),
                    why.substring(end + 2));
        }
        RuntimeDefinition runtime = table.find(file.runtime()).orElseThrow();
        if (runtime.metered() && file.auth() == AgentFile.Auth.GATEWAY) {
            return Finding.ok(
                    CHECK,
                    file.limit() == null
                            ? "%s runs %s; each call is counted, and it has no spend_limit of its own"
                                    .formatted(source.username(), runtime.name())
                            : "%s runs %s; no call passes that its spend_limit does not cover"
                                    .formatted(source.username(), runtime.name()));
        }
        return Finding.warning(
                CHECK,
                "%s runs %s, not metered: %s, so nothing counts or limits its dollars"
                        .formatted(
                                source.username(),
                                runtime.name(),
                                runtime.metered()
                                        ? "it uses the runtime's own sign-in"
                                        : "it cannot be pointed at the gateway"),
                file.turnLimit() == null && file.usageLimit() == null
                        ? "give it turn_limit or usage_limit"
                        : "turn_limit and usage_limit hold instead");
    }
}
