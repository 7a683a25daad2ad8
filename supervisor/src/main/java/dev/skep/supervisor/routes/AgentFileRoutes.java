package dev.skep.supervisor.routes;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.version.AgentVersion;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.supervisor.source.AgentFiles;
import dev.skep.supervisor.source.AgentFiles.Change;
import dev.skep.supervisor.source.AgentFiles.Creation;
import dev.skep.supervisor.source.AgentFiles.FileProblem;
import dev.skep.supervisor.source.AgentFiles.FileVersion;
import dev.skep.supervisor.source.AgentFiles.Outcome;
import dev.skep.supervisor.source.AgentFiles.PendingChange;
import dev.skep.supervisor.source.Sources;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Agents as managed things: made, read, changed, removed, with the versions of their files. Who
 * changes one names the version that they saw, and changes nothing if it is another by now.
 */
final class AgentFileRoutes implements Route.Source {
    private static final int LONGEST_FILE = 1 << 20;

    private final Sources sources;
    private final AgentStore agents;
    private final AgentVersionStore versions;

    AgentFileRoutes(Sources sources, AgentStore agents, AgentVersionStore versions) {
        this.sources = sources;
        this.agents = agents;
        this.versions = versions;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                route(HttpMethod.POST, "/agents", Role.OPERATOR, this::create)
                        .described(
                                changing("Makes an agent of a file, on a host or where labels say.")
                                        .takes(AgentFileBodies.AgentCreation.class)
                                        .creates(AgentFileBodies.FileChangeAnswer.class)),
                route(HttpMethod.POST, "/agents/check", Role.OPERATOR, this::check)
                        .described(
                                Operation.of("What is wrong with the text of an agent's file.")
                                        .takes(AgentFileBodies.AgentFileText.class)
                                        .answers(AgentFileBodies.FileProblems.class)),
                route(HttpMethod.GET, "/agents/pending", Role.VIEWER, this::pending)
                        .described(
                                Operation.of("Changes of agents' files that wait for their hosts.")
                                        .query("host", String.class, "only of this host, by its id")
                                        .answers(AgentFileBodies.PendingChanges.class)),
                route(HttpMethod.GET, "/agents/hosts", Role.OPERATOR, this::hosts)
                        .described(
                                Operation.of(
                                                "Hosts that an agent may be given to, and what keeps the others from it.")
                                        .query("where", String.class, "tests of labels")
                                        .answers(AgentFileBodies.HostChoices.class)),
                route(HttpMethod.GET, "/agents/{agent}", Role.VIEWER, this::show)
                        .described(
                                Operation.of(
                                                "An agent's file with its version, which is the ETag, and what waits for its host.")
                                        .answers(AgentFileBodies.ManagedAgentFile.class)),
                route(HttpMethod.PUT, "/agents/{agent}", Role.OPERATOR, this::edit)
                        .described(
                                changing(
                                                "Replaces an agent's file, if it is still at the version of If-Match.")
                                        .takes(AgentFileBodies.AgentEdit.class)
                                        .answers(AgentFileBodies.FileChangeAnswer.class)),
                route(HttpMethod.DELETE, "/agents/{agent}", Role.OPERATOR, this::remove)
                        .described(
                                changing(
                                                "Removes an agent, if its file is still at the version of If-Match; file and history stay.")
                                        .takes(AgentFileBodies.AgentRemoval.class)
                                        .answers(AgentFileBodies.FileChangeAnswer.class)),
                route(HttpMethod.POST, "/agents/{agent}/restore", Role.OPERATOR, this::restore)
                        .described(
                                changing("Brings a removed agent back.")
                                        .takes(AgentFileBodies.AgentReturn.class)
                                        .answers(AgentFileBodies.FileChangeAnswer.class)),
                route(HttpMethod.GET, "/agents/{agent}/versions", Role.VIEWER, this::versions)
                        .described(
                                Operation.of(
                                                "Who changed an agent's file, when and why; the newest first.")
                                        .answers(AgentFileBodies.ListedVersions.class)),
                route(
                                HttpMethod.GET,
                                "/agents/{agent}/versions/{number}",
                                Role.VIEWER,
                                this::version)
                        .described(
                                Operation.of("One version of an agent's file with its text.")
                                        .answers(AgentFiles.FileVersion.class)),
                route(
                                HttpMethod.POST,
                                "/agents/{agent}/versions/{number}/restore",
                                Role.OPERATOR,
                                this::rollBack)
                        .described(
                                changing(
                                                "Gives an agent's file the text of an older version, as a new version.")
                                        .takes(AgentFileBodies.AgentRollBack.class)
                                        .answers(AgentFileBodies.FileChangeAnswer.class)));
    }

    /** Its host does it at once, or when it is there. */
    private static Operation changing(String summary) {
        return Operation.of(summary).answers(202, AgentFileBodies.FileChangeAnswer.class);
    }

    private static Route route(
            HttpMethod method, String path, Role atLeast, Route.Handler handler) {
        return new Route(
                method,
                "/api/orgs/{org}" + path,
                Access.operators(atLeast),
                OrgScope.PATH,
                handler);
    }

    private AgentFiles files() {
        return ViewRoute.present(sources.files(), "agents to change");
    }

    private Response create(Request request) {
        JsonFields fields = request.fields().only("host", "where", "file", "reason");
        Creation creation =
                new Creation(
                        word(fields, "host"),
                        word(fields, "where"),
                        file(fields),
                        word(fields, "reason"));
        return answer(files().create(request.actor(), creation), 201, Optional.empty());
    }

    private static String file(JsonFields fields) {
        return fields.longText("file", LONGEST_FILE);
    }

    private static @Nullable String word(JsonFields fields, String name) {
        return fields.optionalText(name).filter(text -> !text.isBlank()).orElse(null);
    }

    private Response check(Request request) {
        JsonFields fields = request.fields().only("file", "username");
        return Response.json(
                new AgentFileBodies.FileProblems(
                        files().problems(word(fields, "username"), file(fields))));
    }

    private Response pending(Request request) {
        return Response.json(
                new AgentFileBodies.PendingChanges(
                        files().pending(request.principal(), request.query("host"))));
    }

    private Response hosts(Request request) {
        return Response.json(
                new AgentFileBodies.HostChoices(
                        files().hosts(request.principal(), request.query("where"))));
    }

    private Response show(Request request) {
        Agent agent = agent(request);
        Optional<AgentVersion> newest = versions.newest(request.principal(), agent.id());
        AgentFileBodies.ManagedAgentFile view =
                new AgentFileBodies.ManagedAgentFile(
                        agent.id().value(),
                        agent.username(),
                        agent.host().value(),
                        agent.hostName(),
                        agent.path(),
                        !agent.isLive(),
                        newest.map(AgentFileRoutes::shown).orElse(null),
                        pending(request.principal(), agent));
        Response response = Response.json(view);
        return newest.map(each -> response.with("ETag", etag(each.tag()))).orElse(response);
    }

    private List<PendingChange> pending(Principal who, Agent agent) {
        return sources
                .files()
                .map(files -> files.pending(who, Optional.of(agent.host().value())))
                .orElse(List.of())
                .stream()
                .filter(each -> agent.id().value().equals(each.agentId()))
                .toList();
    }

    private Response edit(Request request) {
        JsonFields fields = request.fields().only("file", "reason", "restart", "version");
        return changed(
                request,
                agent(request),
                fields,
                version ->
                        new Change.Edit(
                                version,
                                file(fields),
                                word(fields, "reason"),
                                fields.flag("restart")));
    }

    private Response remove(Request request) {
        JsonFields fields = request.fields().only("reason", "discardWork", "version");
        return changed(
                request,
                agent(request),
                fields,
                version ->
                        new Change.Remove(
                                version, word(fields, "reason"), fields.flag("discardWork")));
    }

    private Response changed(
            Request request, Agent agent, JsonFields fields, Function<String, Change> change) {
        String version = seen(request, fields);
        Outcome outcome =
                stale(request.principal(), agent, version)
                        .orElseGet(
                                () ->
                                        files().change(
                                                        request.actor(),
                                                        agent,
                                                        change.apply(version)));
        return answer(outcome, 200, base(request.principal(), agent, version));
    }

    private Response restore(Request request) {
        JsonFields fields = request.fields().only("reason");
        return answer(
                files().change(
                                request.actor(),
                                agent(request),
                                new Change.Restore(word(fields, "reason"))),
                200,
                Optional.empty());
    }

    private Response rollBack(Request request) {
        Agent agent = agent(request);
        JsonFields fields = request.fields().only("reason", "restart", "version");
        AgentVersion old = stored(request, agent);
        String reason = word(fields, "reason");
        return changed(
                request,
                agent,
                fields,
                version ->
                        new Change.Edit(
                                version,
                                old.content(),
                                reason == null ? "back to version " + old.number() : reason,
                                fields.flag("restart")));
    }

    private Response versions(Request request) {
        Agent agent = agent(request);
        return Response.json(
                new AgentFileBodies.ListedVersions(
                        versions.of(request.principal(), agent.id()).stream()
                                .map(AgentFileBodies.ListedVersion::of)
                                .toList()));
    }

    private Response version(Request request) {
        AgentVersion found = stored(request, agent(request));
        return Response.json(shown(found)).with("ETag", etag(found.tag()));
    }

    private AgentVersion stored(Request request, Agent agent) {
        String number = request.parameter("number");
        return Optional.of(number)
                .filter(text -> text.matches("[1-9][0-9]{0,17}"))
                .flatMap(
                        text ->
                                versions.find(
                                        request.principal(), agent.id(), Long.parseLong(text)))
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no version %s of %s; the newest %d are kept"
                                                .formatted(
                                                        number,
                                                        agent.username(),
                                                        AgentVersion.KEPT)));
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

    private Agent agent(Request request) {
        String id = request.parameter("agent");
        return agents.byId(request.principal(), new AgentId(id))
                .filter(agent -> agent.kind() == Agent.Kind.AGENT)
                .orElseThrow(() -> ViewRoute.none("agent", id));
    }

    /** The version that the caller saw; a header, or a field for callers that send no headers. */
    private static String seen(Request request, JsonFields fields) {
        return request.ifMatch()
                .map(header -> header.strip().replaceFirst("^W/", "").replace("\"", ""))
                .or(() -> fields.optionalText("version"))
                .filter(version -> AgentVersion.numberIn(version) > 0)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.VERSION_REQUIRED,
                                        "name the version that you saw: send its ETag as If-Match, or as field 'version'"));
    }

    /** What is known here to be newer need not be asked of the host. */
    private Optional<Outcome> stale(Principal who, Agent agent, String version) {
        return versions.newest(who, agent.id())
                .filter(newest -> newest.number() > AgentVersion.numberIn(version))
                .map(newest -> new Outcome.Stale(shown(newest)));
    }

    private Optional<FileVersion> base(Principal who, Agent agent, String version) {
        return versions.find(who, agent.id(), AgentVersion.numberIn(version))
                .map(AgentFileRoutes::shown);
    }

    private static String etag(String tag) {
        return '"' + tag + '"';
    }

    private static String said(FileProblem problem) {
        return "line %d, column %d: %s%s"
                .formatted(
                        problem.line(),
                        problem.column(),
                        problem.key().isEmpty() ? "" : problem.key() + ": ",
                        problem.message());
    }

    private static Response answer(Outcome outcome, int status, Optional<FileVersion> base) {
        return switch (outcome) {
            case Outcome.Done done -> {
                Response response =
                        Response.json(status, AgentFileBodies.FileChangeAnswer.of(done));
                FileVersion version = done.version();
                yield version == null ? response : response.with("ETag", etag(version.version()));
            }
            case Outcome.Pending pending ->
                    Response.json(202, AgentFileBodies.FileChangeAnswer.of(pending));
            case Outcome.Stale(var current) -> {
                Map<String, Object> more = new LinkedHashMap<>();
                more.put("current", current);
                base.ifPresent(each -> more.put("base", each));
                yield Response.refused(
                        ErrorCode.VERSION_CHANGED,
                        "the file is at version %d by now, changed by %s; look at what changed and try again"
                                .formatted(
                                        current.number(),
                                        current.author() == null
                                                ? "somebody on its host"
                                                : current.author()),
                        more);
            }
            case Outcome.Invalid(var problems) ->
                    Response.refused(
                            ErrorCode.INVALID_AGENT_FILE,
                            problems.stream()
                                    .map(AgentFileRoutes::said)
                                    .collect(Collectors.joining("; ")),
                            Map.of("problems", problems));
            case Outcome.Refused(var code, var why) -> throw new SkepException(code, why);
        };
    }
}
