package dev.skep.supervisor.feature;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.directory.operator.CallerName;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.dispatch.host.LabelledHosts.LabelledHost;
import dev.skep.dispatch.job.AgentFileJob;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.view.JobDetails;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.kernel.label.HostSelector;
import dev.skep.store.Database;
import dev.skep.supervisor.source.AgentFiles;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Agents' files as a hub changes them: by jobs, which wait for a host that is away, are audited,
 * and are done at most once. A caller waits a moment for the host's answer.
 */
public final class JobAgentFiles implements AgentFiles {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration ROWS_ARRIVE = Duration.ofSeconds(2);
    private static final int MOST_PENDING = 500;
    private static final int LONGEST_FILE = 1 << 20;

    private final JobQueue queue;
    private final Database database;
    private final HostConsents consents;
    private final AgentHostChooser hosts;
    private final AgentStore agents;
    private final AgentVersionStore versions;
    private final Predicate<HostId> isConnected;
    private final FileChecker checker;

    /**
     * What can be said of a file's text without its host.
     *
     * @param username the agent that it names, empty if it names none
     */
    public record CheckedFile(String username, List<FileProblem> problems) {}

    /** Checks texts as hosts do. */
    @FunctionalInterface
    public interface FileChecker {
        CheckedFile check(@Nullable String username, String file);
    }

    /** Over a hub's database. */
    public static JobAgentFiles of(
            JobQueue queue,
            Database database,
            AgentStore agents,
            AgentVersionStore versions,
            Predicate<HostId> isConnected,
            FileChecker checker) {
        return new JobAgentFiles(
                queue,
                database,
                new HostConsents(database),
                new AgentHostChooser(database, agents, isConnected),
                agents,
                versions,
                isConnected,
                checker);
    }

    private JobAgentFiles(
            JobQueue queue,
            Database database,
            HostConsents consents,
            AgentHostChooser hosts,
            AgentStore agents,
            AgentVersionStore versions,
            Predicate<HostId> isConnected,
            FileChecker checker) {
        this.queue = queue;
        this.database = database;
        this.consents = consents;
        this.hosts = hosts;
        this.agents = agents;
        this.versions = versions;
        this.isConnected = isConnected;
        this.checker = checker;
    }

    @Override
    public List<FileProblem> problems(@Nullable String username, String file) {
        return checker.check(username, file).problems();
    }

    @Override
    public List<HostChoice> hosts(Principal who, Optional<String> where) {
        return hosts.choices(who, where.map(HostSelector::parse).orElseGet(HostSelector::any));
    }

    @Override
    public Outcome create(Actor actor, Creation creation) {
        CheckedFile checked = checker.check(null, creation.file());
        if (!checked.problems().isEmpty()) {
            return new Outcome.Invalid(checked.problems());
        }
        Principal who = actor.principal();
        String named = creation.host();
        String where = creation.where();
        if ((named == null) == (where == null)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "a new agent needs host or where, one of the two");
        }
        LabelledHost host =
                named != null
                        ? hosts.named(who, named)
                        : hosts.chosen(who, HostSelector.parse(String.valueOf(where)));
        return asked(
                actor,
                host.id(),
                new AgentFileJob(
                        JobKind.AGENT_CREATE,
                        checked.username(),
                        null,
                        null,
                        creation.file(),
                        name(actor),
                        creation.reason(),
                        false,
                        false));
    }

    @Override
    public Outcome change(Actor actor, Agent agent, Change change) {
        if (change instanceof Change.Edit edit) {
            List<FileProblem> problems = problems(agent.username(), edit.file());
            if (!problems.isEmpty()) {
                return new Outcome.Invalid(problems);
            }
        }
        String by = name(actor);
        String username = agent.username();
        String id = agent.id().value();
        AgentFileJob job =
                switch (change) {
                    case Change.Edit(var version, var file, var reason, var restart) ->
                            new AgentFileJob(
                                    JobKind.AGENT_EDIT,
                                    username,
                                    id,
                                    version,
                                    file,
                                    by,
                                    reason,
                                    restart,
                                    false);
                    case Change.Remove(var version, var reason, var discard) ->
                            new AgentFileJob(
                                    JobKind.AGENT_REMOVE,
                                    username,
                                    id,
                                    version,
                                    null,
                                    by,
                                    reason,
                                    false,
                                    discard);
                    case Change.Restore(var reason) ->
                            new AgentFileJob(
                                    JobKind.AGENT_RESTORE,
                                    username,
                                    id,
                                    null,
                                    null,
                                    by,
                                    reason,
                                    false,
                                    false);
                };
        return asked(actor, agent.host(), job);
    }

    private String name(Actor actor) {
        return database.read(snapshot -> CallerName.of(snapshot, actor.principal()));
    }

    private Outcome asked(Actor actor, HostId host, AgentFileJob job) {
        consents.requireForJob(actor.principal().org(), host, job.kind().type());
        JobId id = queue.create(actor, List.of(job.on(host))).getFirst().job();
        if (!isConnected.test(host)) {
            return new Outcome.Pending(host.value(), id.value());
        }
        return new AwaitedRow<>(database, Set.of("job_runs"), () -> ended(actor.principal(), id))
                .within(PATIENCE)
                .map(ended -> outcome(host, ended))
                .map(outcome -> arrived(actor.principal(), outcome))
                .orElseGet(() -> new Outcome.Pending(host.value(), id.value()));
    }

    private Optional<JobDetails> ended(Principal who, JobId id) {
        return database.read(snapshot -> JobQueries.find(snapshot, who, id.value()))
                .filter(found -> RunStatus.of(found.status()).isOver());
    }

    /** Who is told that it is done finds it done here: the host's rows come a moment later. */
    private Outcome arrived(Principal who, Outcome outcome) {
        if (outcome instanceof Outcome.Done(var agent, _, var version, _) && version != null) {
            AgentId id = new AgentId(agent);
            new AwaitedRow<>(
                            database,
                            Set.of("users", "agent_versions"),
                            () ->
                                    versions.newest(who, id)
                                            .filter(each -> each.number() >= version.number())
                                            .filter(_ -> agents.byId(who, id).isPresent()))
                    .within(ROWS_ARRIVE);
        }
        return outcome;
    }

    /** What the host said of a job that is over. */
    private static Outcome outcome(HostId host, JobDetails job) {
        JsonFields said = Json.fields(Json.text(job.run().result()));
        if (job.status().equals(RunStatus.SUCCEEDED.label())) {
            return new Outcome.Done(
                    said.shown("agent"),
                    host.value(),
                    said.object("version").map(JobAgentFiles::version).orElse(null),
                    said.shown("message"));
        }
        String code = said.shown("code");
        if (code.equals(ErrorCode.VERSION_CHANGED.code())) {
            return said.object("version")
                    .<Outcome>map(fields -> new Outcome.Stale(version(fields)))
                    .orElseGet(() -> refused(ErrorCode.CONFLICT, said));
        }
        if (code.equals(ErrorCode.INVALID_AGENT_FILE.code())) {
            return new Outcome.Invalid(
                    said.list("problems").stream().map(JobAgentFiles::problem).toList());
        }
        return refused(ErrorCode.named(code).orElse(ErrorCode.CONFLICT), said);
    }

    private static Outcome refused(ErrorCode code, JsonFields said) {
        String why = said.shown("error");
        return new Outcome.Refused(
                code, why.isEmpty() ? "the host could not do it; its job says more" : why);
    }

    private static FileVersion version(JsonFields fields) {
        return new FileVersion(
                fields.optionalNumber("number").orElse(0L),
                fields.shown("version"),
                fields.optionalText("author").orElse(null),
                fields.optionalText("reason").orElse(null),
                fields.has("file") ? fields.longText("file", LONGEST_FILE) : "",
                fields.optionalText("createdAt").map(Instant::parse).orElse(null));
    }

    private static FileProblem problem(JsonFields fields) {
        return new FileProblem(
                fields.optionalNumber("line").orElse(1L).intValue(),
                fields.optionalNumber("column").orElse(1L).intValue(),
                fields.shown("key"),
                fields.shown("message"));
    }

    @Override
    public List<PendingChange> pending(Principal who, Optional<String> host) {
        return database
                .read(snapshot -> JobQueries.fileChanges(snapshot, who, host, MOST_PENDING))
                .stream()
                .map(JobAgentFiles::pending)
                .toList();
    }

    private static PendingChange pending(JobDetails job) {
        JsonFields payload = Json.fields(Json.text(job.payload()));
        return new PendingChange(
                job.id(),
                job.type(),
                job.hostId(),
                payload.shown("agent"),
                payload.optionalText("agentId").orElse(null),
                payload.shown("by"),
                payload.optionalText("reason").orElse(null),
                job.createdAt());
    }
}
