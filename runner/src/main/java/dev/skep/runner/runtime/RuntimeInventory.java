package dev.skep.runner.runtime;

import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.approval.Protection;
import dev.skep.shell.Programs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What this host has of the runtimes in the table, looked up when it is asked. Thread-safe; holds
 * no lock while it looks.
 */
public final class RuntimeInventory {
    private final Path dataDir;
    private final RuntimeProgramFinder installed;
    private final InstalledVersions versions;

    /**
     * Over a data dir.
     *
     * @param path where programs are looked for
     * @param programs null to start none, and not to know what agents' users may reach
     */
    public RuntimeInventory(Path dataDir, String path, @Nullable Programs programs) {
        this.dataDir = dataDir;
        this.installed =
                new RuntimeProgramFinder(
                        program -> programs == null ? Optional.empty() : programs.obstacle(program),
                        path);
        this.versions = new InstalledVersions(programs, dataDir);
    }

    /**
     * One runtime on this host.
     *
     * @param version empty if the program does not say
     */
    public record Entry(
            RuntimeDefinition definition, RuntimeProgramFinder.Lookup program, String version) {
        public boolean isInstalled() {
            return program instanceof RuntimeProgramFinder.Lookup.Found;
        }
    }

    /** The runtimes with the user's changes, as they are now. */
    public RuntimeTable table() {
        return RuntimeTable.read(dataDir);
    }

    /** Every runtime of the table. May take seconds for one that has to be asked. */
    public List<Entry> all() {
        return table().all().stream().map(this::entry).toList();
    }

    /** The names of those whose programs are here; asks none of them anything. */
    public List<String> installed() {
        return table().all().stream()
                .filter(each -> find(each) instanceof RuntimeProgramFinder.Lookup.Found)
                .map(RuntimeDefinition::name)
                .toList();
    }

    private Entry entry(RuntimeDefinition definition) {
        RuntimeProgramFinder.Lookup program = find(definition);
        String version =
                program instanceof RuntimeProgramFinder.Lookup.Found(Path found)
                        ? versions.of(found, definition.version())
                        : "";
        return new Entry(definition, program, version);
    }

    /** Whether it could be started here. */
    public RuntimeProgramFinder.Lookup find(RuntimeDefinition definition) {
        return installed.find(definition);
    }

    /** Why an agent with this runtime could not work here; empty if it could. */
    public Optional<String> refusal(String runtime) {
        if (runtime.equals(AgentFile.OWN_LOOP)) {
            return Optional.empty();
        }
        RuntimeTable table = table();
        Optional<RuntimeDefinition> definition = table.find(runtime);
        if (definition.isEmpty()) {
            return Optional.of(table.unknown(runtime));
        }
        return find(definition.get()) instanceof RuntimeProgramFinder.Lookup.Missing(String why)
                ? Optional.of(why)
                : Optional.empty();
    }

    /** What an agent's file says of its runtime that cannot hold, by line and column. */
    public List<YamlProblem> problems(AgentSource source) {
        AgentFile file = source.content();
        if (!file.isManaged()) {
            return file.auth() == AgentFile.Auth.LOGIN
                    ? List.of(
                            source.problem(
                                    "auth", "login is for another runtime than skep; take it out"))
                    : List.of();
        }
        RuntimeTable table = table();
        Optional<RuntimeDefinition> found = table.find(file.runtime());
        if (found.isEmpty()) {
            return List.of(source.problem("runtime", table.unknown(file.runtime())));
        }
        List<YamlProblem> problems = new ArrayList<>();
        RuntimeDefinition definition = found.get();
        if (find(definition) instanceof RuntimeProgramFinder.Lookup.Missing(String why)) {
            problems.add(source.problem("runtime", why));
        }
        boolean metered = definition.metered() && file.auth() == AgentFile.Auth.GATEWAY;
        if (file.limit() != null && !metered) {
            problems.add(
                    source.problem(
                            "spend_limit",
                            "nothing holds it: %s; use turn_limit and usage_limit"
                                    .formatted(
                                            file.auth() == AgentFile.Auth.LOGIN
                                                    ? "with auth: login the calls do not pass the gateway"
                                                    : definition.name()
                                                            + " cannot be pointed at the gateway")));
        }
        if (file.auth() == AgentFile.Auth.LOGIN && definition.login().isEmpty()) {
            problems.add(
                    source.problem(
                            "auth", definition.name() + " has no sign-in of its own; use gateway"));
        }
        if (file.auth() == AgentFile.Auth.GATEWAY
                && file.model() == null
                && definition.needsModel()) {
            problems.add(
                    source.problem(
                            "runtime", definition.name() + " has to be told a model; add model:"));
        }
        if (asksInVain(file, definition)) {
            problems.add(
                    source.problem(
                            "protection",
                            "%s cannot ask, so it does what it wants; choose another runtime, or protection: none"
                                    .formatted(definition.name())));
        }
        return problems;
    }

    private static boolean asksInVain(AgentFile file, RuntimeDefinition definition) {
        return file.protection() == Protection.Mode.MANUAL && !definition.asks();
    }
}
