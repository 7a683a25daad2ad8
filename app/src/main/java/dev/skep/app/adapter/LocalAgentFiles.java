package dev.skep.app.adapter;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.operator.CallerName;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.runner.ChangeOrigin;
import dev.skep.runner.FileChangeResult;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentFileCheck;
import dev.skep.store.Database;
import dev.skep.supervisor.feature.JobAgentFiles;
import dev.skep.supervisor.source.AgentFiles;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Agents' files as the supervisor of a runner changes them: here, and at once. */
public final class LocalAgentFiles implements AgentFiles {
    private final AgentService agentService;
    private final Database database;
    private final LocalHost host;

    public LocalAgentFiles(AgentService agentService, Database database, LocalHost host) {
        this.agentService = agentService;
        this.database = database;
        this.host = host;
    }

    /** What a hub can say of a text: the same as any host. */
    public static JobAgentFiles.CheckedFile check(@Nullable String username, String file) {
        List<FileProblem> problems = problemsOf(new AgentFileCheck(username, file).problems());
        String named =
                YamlBinder.parse("new.yaml", file, AgentFile.class)
                                instanceof BindingResult.Value<AgentFile>(var content)
                        ? content.username()
                        : null;
        return new JobAgentFiles.CheckedFile(named == null ? "" : named, problems);
    }

    private static List<FileProblem> problemsOf(List<YamlProblem> problems) {
        return problems.stream()
                .map(p -> new FileProblem(p.line(), p.column(), p.key(), p.message()))
                .toList();
    }

    @Override
    public List<FileProblem> problems(@Nullable String username, String file) {
        return check(username, file).problems();
    }

    @Override
    public Outcome create(Actor actor, Creation creation) {
        String named = creation.host();
        boolean here =
                named == null || named.equals(host.id().value()) || named.equals(host.name());
        if (!here || creation.where() != null) {
            return new Outcome.Refused(
                    ErrorCode.BAD_REQUEST,
                    "this process makes agents on host %s only; use a hub for others"
                            .formatted(host.name()));
        }
        FileChangeResult result =
                agentService.files().create(creation.file(), origin(actor, creation.reason()));
        if (result instanceof FileChangeResult.Done(var agent, _, _)) {
            agentService.startIfDue(agent.username());
        }
        return outcome(result);
    }

    @Override
    public Outcome change(Actor actor, Agent agent, Change change) {
        if (!agent.host().equals(host.id())) {
            return new Outcome.Refused(
                    ErrorCode.CONFLICT,
                    "%s is an agent of another host; use a hub".formatted(agent.fullAddress()));
        }
        return switch (change) {
            case Change.Edit(var version, var file, var reason, var restart) -> {
                FileChangeResult result =
                        agentService
                                .files()
                                .edit(agent.id().value(), version, file, origin(actor, reason));
                if (restart && result instanceof FileChangeResult.Done(var found, _, _)) {
                    agentService.restart(found.username());
                }
                yield outcome(result);
            }
            case Change.Remove(var version, _, var discardWork) ->
                    agentService
                            .files()
                            .staleFor(agent.id().value(), version)
                            .map(LocalAgentFiles::outcome)
                            .orElseGet(() -> outcome(agent, removed(agent, discardWork)));
            case Change.Restore _ -> outcome(agent, agentService.restore(agent.username()));
        };
    }

    private ActionResult removed(Agent agent, boolean discardWork) {
        try {
            return agentService.remove(agent.username(), discardWork);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ActionResult.Refused("the process ends; try again");
        }
    }

    private ChangeOrigin origin(Actor actor, @Nullable String reason) {
        return ChangeOrigin.here(
                database.read(snapshot -> CallerName.of(snapshot, actor.principal())), reason);
    }

    private static Outcome outcome(Agent agent, ActionResult result) {
        return result instanceof ActionResult.Done
                ? new Outcome.Done(agent.id().value(), agent.host().value(), null, result.message())
                : new Outcome.Refused(ErrorCode.CONFLICT, result.message());
    }

    private static Outcome outcome(FileChangeResult result) {
        return switch (result) {
            case FileChangeResult.Done(var agent, var version, var message) ->
                    new Outcome.Done(
                            agent.id().value(), agent.host().value(), shown(version), message);
            case FileChangeResult.Stale(var newest) -> new Outcome.Stale(shown(newest));
            case FileChangeResult.Invalid(var problems) ->
                    new Outcome.Invalid(problemsOf(problems));
            case FileChangeResult.Refused(var code, var why) -> new Outcome.Refused(code, why);
        };
    }

    private static FileVersion shown(AgentVersion version) {
        return new FileVersion(
                version.number(),
                version.tag(),
                version.author(),
                version.reason(),
                version.content(),
                version.createdAt());
    }

    /** Nothing waits where everything is done at once. */
    @Override
    public List<PendingChange> pending(Principal who, Optional<String> wanted) {
        return List.of();
    }

    @Override
    public List<HostChoice> hosts(Principal who, Optional<String> where) {
        int agents =
                (int)
                        agentService.stores().agents().onThisHost().stream()
                                .filter(agent -> agent.kind() == Agent.Kind.AGENT && agent.isLive())
                                .count();
        return List.of(new HostChoice(host.id().value(), host.name(), agents, null));
    }
}
