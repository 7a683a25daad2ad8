package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.Model;
import dev.skep.models.Models;
import dev.skep.models.money.Budget;
import dev.skep.models.money.BudgetDecision;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentPlaceholders;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.AgentLoop;
import dev.skep.runner.loop.AgentSetup;
import dev.skep.runner.loop.LoopControls;
import dev.skep.runner.mcp.AgentToolServers;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Makes an agent's loop out of its file, if that can be used here and now. */
final class AgentStarter {
    private final Runner.Parts parts;
    private final AgentDependencies agentDependencies;
    private final ForeignAgents foreign;
    private final AgentFileInterpreter agentFileInterpreter;
    private final Budget budget;
    private final AgentWorkspaces workspaces;
    private final ManagedStarter managedStarter;

    /** What came of it. */
    sealed interface Made {
        /** Its thread is not started yet. */
        record Ready(RunningAgent agent) implements Made {}

        record Refused(String why) implements Made {}
    }

    AgentStarter(
            Runner.Parts parts,
            AgentDependencies agentDependencies,
            ForeignAgents foreign,
            AgentFileInterpreter agentFileInterpreter,
            Budget budget,
            ManagedStarter managedStarter,
            AgentWorkspaces workspaces) {
        this.parts = parts;
        this.agentDependencies = agentDependencies;
        this.foreign = foreign;
        this.agentFileInterpreter = agentFileInterpreter;
        this.budget = budget;
        this.workspaces = workspaces;
        this.managedStarter = managedStarter;
    }

    /**
     * Makes it and starts nothing.
     *
     * @param names of the agents of this host
     * @param over hears when the loop has ended
     */
    Made made(
            AgentRegistrar.Registered found,
            List<String> names,
            LoopControls.@Nullable Said task,
            boolean paused,
            BiConsumer<AgentId, LoopControls> over) {
        Optional<String> refusal = foreign.refusal(found.agent());
        if (refusal.isPresent()) {
            return new Made.Refused(refusal.get());
        }
        Optional<YamlProblem> problem = agentFileInterpreter.problem(found, names);
        if (problem.isPresent()) {
            return new Made.Refused(problem.get().toString());
        }
        AgentPlaceholders substitution = agentFileInterpreter.substitution(found);
        List<String> missing = substitution.problems(found.source().content().prompt());
        if (!missing.isEmpty()) {
            return new Made.Refused(found.source().path() + ": prompt: " + missing.getFirst());
        }
        return found.source().content().isManaged()
                ? managed(found, substitution, controls(task, paused), over)
                : ownLoop(found, substitution, controls(task, paused), over);
    }

    private Made managed(
            AgentRegistrar.Registered found,
            AgentPlaceholders substitution,
            LoopControls controls,
            BiConsumer<AgentId, LoopControls> over) {
        Optional<String> refusal = managedStarter.refusal(found);
        return refusal.isPresent()
                ? new Made.Refused(refusal.get())
                : new Made.Ready(
                        RunningAgent.start(
                                found,
                                managedStarter.made(found, substitution, controls),
                                controls,
                                () -> over.accept(found.agent().id(), controls)));
    }

    private Made ownLoop(
            AgentRegistrar.Registered found,
            AgentPlaceholders substitution,
            LoopControls controls,
            BiConsumer<AgentId, LoopControls> over) {
        return switch (parts.models()
                .open(found.source().content().modelName(), found.source().folder())) {
            case Models.Opening.Refused(var why) -> new Made.Refused(why);
            case Models.Opening.Ready(var model) -> {
                AgentId id = found.agent().id();
                budget.limit(id, found.source().content().limit());
                Optional<BudgetDecision.Refused> unpriced = budget.unpriced(id, model.card());
                if (unpriced.isPresent()) {
                    yield new Made.Refused(unpriced.get().reason());
                }
                AgentLoop loop =
                        new AgentLoop(
                                agentDependencies, setup(found, model, substitution, controls));
                yield new Made.Ready(
                        RunningAgent.start(found, loop, controls, () -> over.accept(id, controls)));
            }
        };
    }

    private LoopControls controls(LoopControls.@Nullable Said task, boolean paused) {
        LoopControls controls = new LoopControls(parts.clock());
        if (task != null && !task.text().isBlank()) {
            controls.say(task);
        }
        if (paused) {
            controls.pause();
        }
        return controls;
    }

    private AgentSetup setup(
            AgentRegistrar.Registered found,
            Model model,
            AgentPlaceholders substitution,
            LoopControls controls) {
        Agent agent = found.agent();
        return new AgentSetup(
                agent,
                found.source(),
                new Principal.Agent(parts.host().org(), agent.id(), parts.host().id()),
                model,
                workspaces.shell(found, agentFileInterpreter.shell(found, substitution)),
                new LazyShell(
                        () ->
                                workspaces.shell(
                                        found,
                                        agentFileInterpreter.fileShell(found, substitution))),
                AgentToolServers.of(
                        found.source().content(),
                        substitution,
                        agentFileInterpreter.programs(
                                found, substitution, parts.shells().programs())),
                substitution,
                controls,
                workspaces.folder(found));
    }
}
