package dev.skep.runner;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.money.Budget;
import dev.skep.models.provider.ModelRoutes;
import dev.skep.models.provider.ProviderProtocol;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentPlaceholders;
import dev.skep.runner.approval.Protection;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.managed.ManagedAgentDependencies;
import dev.skep.runner.managed.ManagedAgentLoop;
import dev.skep.runner.managed.ManagedSetup;
import dev.skep.runner.runtime.RuntimeDefinition;
import dev.skep.runner.runtime.RuntimeLaunchSpec;
import dev.skep.runner.runtime.RuntimeModel;
import dev.skep.runner.runtime.RuntimeTable;
import dev.skep.shell.ShellSettings;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes the run of an agent whose runtime is another program. */
final class ManagedStarter {
    private static final long UNKNOWN_CONTEXT = 128_000;
    private static final int OWN_LOOPS_OUTPUT = 4_096;
    private static final int USUAL_OUTPUT = 32_000;

    private final Runner.Parts parts;
    private final AgentDependencies agentDependencies;
    private final ManagedAgentDependencies managedParts;
    private final Supplier<RuntimeTable> runtimes;
    private final AgentFileInterpreter agentFileInterpreter;
    private final Budget budget;
    private final AgentWorkspaces workspaces;

    ManagedStarter(
            Runner.Parts parts,
            AgentDependencies agentDependencies,
            ManagedAgentDependencies managedParts,
            Supplier<RuntimeTable> runtimes,
            AgentFileInterpreter agentFileInterpreter,
            Budget budget,
            AgentWorkspaces workspaces) {
        this.parts = parts;
        this.agentDependencies = agentDependencies;
        this.managedParts = managedParts;
        this.runtimes = runtimes;
        this.agentFileInterpreter = agentFileInterpreter;
        this.budget = budget;
        this.workspaces = workspaces;
    }

    /** Why it may not start as its file says; empty if it may. */
    Optional<String> refusal(AgentRegistrar.Registered found) {
        AgentFile file = found.source().content();
        RuntimeTable table = runtimes.get();
        Optional<RuntimeDefinition> runtime = table.find(file.runtime());
        if (runtime.isEmpty()) {
            return Optional.of(
                    "%s: runtime: %s"
                            .formatted(found.source().path(), table.unknown(file.runtime())));
        }
        if (file.auth() == AgentFile.Auth.GATEWAY
                && file.limit() != null
                && !runtime.get().metered()) {
            return Optional.of(
                    "%s: spend_limit: %s cannot be pointed at the gateway, so nothing would hold the limit; leave it out, or use auth: login with turn_limit"
                            .formatted(found.source().path(), file.runtime()));
        }
        return file.auth() == AgentFile.Auth.GATEWAY && runtime.get().metered()
                ? modelProblem(file, runtime.get())
                        .map(why -> "%s: model: %s".formatted(found.source().path(), why))
                : Optional.empty();
    }

    /** Told before the program starts: it would only show that its first call was refused. */
    private Optional<String> modelProblem(AgentFile file, RuntimeDefinition runtime) {
        String name = file.model();
        if (name == null) {
            return Optional.empty();
        }
        return switch (parts.routes().route(name, runtime.wire().providers())) {
            case ModelRoutes.Route.Found _ -> Optional.empty();
            case ModelRoutes.Route.Closed(var why) -> Optional.of(why);
            case ModelRoutes.Route.Unknown() ->
                    Optional.of(
                            parts.routes().route(name, Set.of(ProviderProtocol.values()))
                                            instanceof ModelRoutes.Route.Unknown
                                    ? "model %s is not known; add it to models.yaml".formatted(name)
                                    : "%s asks its model in the format of %s, which the provider of %s does not speak; name another model"
                                            .formatted(
                                                    runtime.name(), runtime.wire().word(), name));
        };
    }

    /** The run; only for one that nothing refuses. */
    ManagedAgentLoop made(
            AgentRegistrar.Registered found,
            AgentPlaceholders substitution,
            LoopControls controls) {
        AgentId id = found.agent().id();
        AgentFile file = found.source().content();
        budget.limit(id, file.limit());
        return new ManagedAgentLoop(
                agentDependencies,
                managedParts,
                new ManagedSetup(
                        found.agent(),
                        found.source(),
                        new Principal.Agent(parts.host().org(), id, parts.host().id()),
                        launch(found, substitution),
                        substitution,
                        controls,
                        workspaces.folder(found)));
    }

    private RuntimeLaunchSpec launch(
            AgentRegistrar.Registered found, AgentPlaceholders substitution) {
        AgentFile file = found.source().content();
        ShellSettings shell = agentFileInterpreter.shell(found, substitution);
        return new RuntimeLaunchSpec(
                runtimes.get().find(file.runtime()).orElseThrow(),
                found.agent().username(),
                shell.own(),
                shell.folder(),
                shell.environment(),
                null,
                model(file),
                // What is not asked about cannot be denied either.
                file.protection() == Protection.Mode.MANUAL || !file.deny().isEmpty(),
                List.of());
    }

    private @Nullable RuntimeModel model(AgentFile file) {
        String name = file.model();
        if (name == null) {
            return null;
        }
        long context =
                parts.routes().route(name, Set.of(ProviderProtocol.values()))
                                instanceof ModelRoutes.Route.Found(var card, _)
                        ? card.contextTokens()
                        : UNKNOWN_CONTEXT;
        // The default is for replies of our own loop, each of which is one command or two.
        int output =
                file.maxOutputTokens() == OWN_LOOPS_OUTPUT ? USUAL_OUTPUT : file.maxOutputTokens();
        return new RuntimeModel(name, context, output);
    }
}
