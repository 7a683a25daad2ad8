package dev.skep.runner;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.money.Budget;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.Substitution;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.managed.ManagedAgentLoop;
import dev.skep.runner.managed.ManagedParts;
import dev.skep.runner.managed.ManagedSetup;
import dev.skep.runner.runtime.RuntimeDefinition;
import dev.skep.runner.runtime.RuntimeTable;
import java.util.Optional;

/** Makes the run of an agent whose runtime is another program. */
final class ManagedStarter {
    private final Runner.Parts parts;
    private final AgentDependencies agentDependencies;
    private final ManagedParts managedParts;
    private final RuntimeTable runtimes;
    private final AgentFileInterpreter agentFileInterpreter;
    private final Budget budget;

    ManagedStarter(
            Runner.Parts parts,
            AgentDependencies agentDependencies,
            ManagedParts managedParts,
            RuntimeTable runtimes,
            AgentFileInterpreter agentFileInterpreter,
            Budget budget) {
        this.parts = parts;
        this.agentDependencies = agentDependencies;
        this.managedParts = managedParts;
        this.runtimes = runtimes;
        this.agentFileInterpreter = agentFileInterpreter;
        this.budget = budget;
    }

    /** Why it may not start as its file says; empty if it may. */
    Optional<String> refusal(AgentRegistrar.Registered found) {
        AgentFile file = found.source().content();
        Optional<RuntimeDefinition> runtime = runtimes.find(file.runtime());
        if (runtime.isEmpty()) {
            return Optional.of(
                    "%s: runtime: there is no '%s' here; 'skep runtimes' lists what there is"
                            .formatted(found.source().path(), file.runtime()));
        }
        boolean metered = file.auth() == AgentFile.Auth.GATEWAY;
        if (metered
                && file.limit() != null
                && runtime.get().wire() == RuntimeDefinition.Wire.NONE) {
            return Optional.of(
                    "%s: spend_limit: %s cannot be pointed at the gateway, so nothing would hold the limit; leave it out, or use auth: login with turn_limit"
                            .formatted(found.source().path(), file.runtime()));
        }
        return Optional.empty();
    }

    /** The run; only for one that nothing refuses. */
    ManagedAgentLoop made(
            AgentRegistrar.Registered found, Substitution substitution, LoopControls controls) {
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
                        runtimes.find(file.runtime()).orElseThrow(),
                        agentFileInterpreter.shell(found, substitution).folder(),
                        substitution,
                        controls));
    }
}
