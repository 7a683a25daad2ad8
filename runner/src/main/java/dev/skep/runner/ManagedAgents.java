package dev.skep.runner;

import dev.skep.models.gateway.ModelGateway;
import dev.skep.models.money.Budget;
import dev.skep.models.money.PaidCalls;
import dev.skep.runner.command.AgentDirectory;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.managed.ManagedAgentDependencies;
import dev.skep.runner.managed.ManagedSessionStore;
import dev.skep.runner.managed.RuntimeAccessServer;
import dev.skep.runner.runtime.RuntimeLauncher;
import dev.skep.runner.runtime.RuntimeTable;
import dev.skep.runner.tools.AgentTools;
import dev.skep.runner.tools.ToolsEndpoint;
import java.nio.file.Path;
import java.security.SecureRandom;

/** What the agents of a runner share whose runtimes are other programs. */
final class ManagedAgents implements AutoCloseable {
    private static final String USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

    private final Runner.Parts parts;
    private final Path dataDir;
    private final RuntimeLauncher launcher;
    private final RuntimeAccessServer access;
    private final ManagedAgentDependencies managedParts;

    ManagedAgents(
            RunnerConfig config,
            Runner.Parts parts,
            AgentDependencies dependencies,
            AgentDirectory agents,
            AgentTools tools) {
        this.parts = parts;
        this.dataDir = config.dataDir();
        SecureRandom random = new SecureRandom();
        this.launcher =
                new RuntimeLauncher(
                        parts.shells().programs(),
                        config.environment().getOrDefault("PATH", USUAL_PATH),
                        dataDir,
                        random);
        ModelGateway gateway =
                new ModelGateway(
                        parts.routes(),
                        new PaidCalls(
                                parts.database(),
                                dependencies.budget(),
                                dependencies.openCalls(),
                                dependencies.costs(),
                                parts.ids(),
                                parts.clock()),
                        parts.clock());
        this.access =
                new RuntimeAccessServer(gateway, new ToolsEndpoint(tools, parts.version()), random);
        this.managedParts =
                new ManagedAgentDependencies(
                        new ManagedSessionStore(parts.database()),
                        access,
                        launcher,
                        agents,
                        parts.version());
    }

    ManagedStarter starter(
            AgentDependencies dependencies,
            AgentFileInterpreter agentFileInterpreter,
            Budget budget,
            AgentWorkspaces workspaces) {
        return new ManagedStarter(
                parts,
                dependencies,
                managedParts,
                () -> RuntimeTable.read(dataDir),
                agentFileInterpreter,
                budget,
                workspaces);
    }

    /** Before the first starts: what a killed runner left must not work on beside it. */
    void endLeftovers() {
        launcher.endLeftovers();
    }

    RuntimeAccessServer access() {
        return access;
    }

    @Override
    public void close() {
        access.close();
    }
}
