package dev.skep.runner.api;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.AgentService;
import dev.skep.runner.ChangeOrigin;
import dev.skep.runner.FileChangeResult;
import dev.skep.runner.agent.AgentFileCheck;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The files of this host's agents and their versions, for the command line of the machine. */
public final class OwnFileRoutes implements Route.Source {
    private final AgentService agentService;

    public OwnFileRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.act("/api/runner/files", this::create)
                        .described(
                                Operation.of("Makes an agent of this host of a whole file.")
                                        .takes(OwnCreation.class)
                                        .answers(OwnFileChange.class)),
                AgentRoutes.read("/api/runner/agents/{agent}/file", this::show)
                        .described(
                                Operation.of("The file of an agent of this host, read anew.")
                                        .answers(OwnFile.class)),
                new Route(
                                HttpMethod.PUT,
                                "/api/runner/agents/{agent}/file",
                                Access.local(),
                                OrgScope.NONE,
                                this::edit)
                        .described(
                                Operation.of(
                                                "Replaces an agent's file, if it is still at the version that is named.")
                                        .takes(OwnEdit.class)
                                        .answers(OwnFileChange.class)),
                AgentRoutes.read("/api/runner/agents/{agent}/versions", this::versions)
                        .described(
                                Operation.of(
                                                "Who changed an agent's file, when and why; the newest first.")
                                        .answers(OwnVersions.class)),
                AgentRoutes.read("/api/runner/agents/{agent}/versions/{number}", this::version)
                        .described(
                                Operation.of("One version of an agent's file with its text.")
                                        .answers(OwnVersion.class)));
    }

    private record OwnCreation(String file, @Nullable String reason) {}

    /**
     * Another text for an agent's file.
     *
     * @param version what the text was made from
     * @param restart whether an agent at work begins anew with it at once
     */
    private record OwnEdit(
            String file, String version, @Nullable String reason, @Nullable Boolean restart) {}

    /** An agent with its file. */
    private record OwnFile(String id, String username, OwnVersion version) {}

    private record OwnVersions(List<OwnVersion> versions) {}

    /** What came of a change: the version of the file now. */
    private record OwnFileChange(
            String outcome, String agent, String message, long number, String version) {}

    /** A version of an agent's file. */
    public record OwnVersion(
            long number,
            String version,
            @Nullable String author,
            @Nullable String hub,
            @Nullable String reason,
            String createdAt,
            @Nullable String file) {
        static OwnVersion of(AgentVersion version, boolean withFile) {
            return new OwnVersion(
                    version.number(),
                    version.tag(),
                    version.author(),
                    version.hub(),
                    version.reason(),
                    version.createdAt().toString(),
                    withFile ? version.content() : null);
        }
    }

    private FileChangeResult.Done present(Request request) {
        String name = request.parameter("agent");
        return agentService
                .files()
                .present(name)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no agent '%s' with a file on this host; 'skep agents' lists them"
                                                .formatted(name)));
    }

    private Response show(Request request) {
        FileChangeResult.Done found = present(request);
        return Response.json(
                new OwnFile(
                        found.agent().id().value(),
                        found.agent().username(),
                        OwnVersion.of(found.version(), true)));
    }

    private Response versions(Request request) {
        Agent agent = present(request).agent();
        return Response.json(
                new OwnVersions(
                        agentService.files().versions(request.principal(), agent.id()).stream()
                                .map(version -> OwnVersion.of(version, false))
                                .toList()));
    }

    private Response version(Request request) {
        Agent agent = present(request).agent();
        String number = request.parameter("number");
        return Optional.of(number)
                .filter(text -> text.matches("[1-9][0-9]{0,17}"))
                .flatMap(
                        text ->
                                agentService
                                        .files()
                                        .version(
                                                request.principal(),
                                                agent.id(),
                                                Long.parseLong(text)))
                .map(version -> Response.json(OwnVersion.of(version, true)))
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

    private Response create(Request request) {
        JsonFields fields = request.fields().only("file", "reason");
        FileChangeResult result =
                agentService.files().create(file(fields), origin(request, fields));
        if (result instanceof FileChangeResult.Done(var agent, _, _)) {
            agentService.startIfDue(agent.username());
        }
        return answer(result);
    }

    private Response edit(Request request) {
        JsonFields fields = request.fields().only("file", "version", "reason", "restart");
        FileChangeResult result =
                agentService
                        .files()
                        .edit(
                                request.parameter("agent"),
                                fields.text("version"),
                                file(fields),
                                origin(request, fields));
        if (fields.flag("restart") && result instanceof FileChangeResult.Done(var agent, _, _)) {
            agentService.restart(agent.username());
        }
        return answer(result);
    }

    private static String file(JsonFields fields) {
        return fields.longText("file", AgentFileCheck.LONGEST * 2);
    }

    private static ChangeOrigin origin(Request request, JsonFields fields) {
        return ChangeOrigin.here(
                request.principal().label().equals("local")
                        ? "the command line"
                        : request.principal().label(),
                fields.optionalText("reason").orElse(null));
    }

    private static Response answer(FileChangeResult result) {
        return switch (result) {
            case FileChangeResult.Done(var agent, var version, var message) ->
                    Response.json(
                            new OwnFileChange(
                                    "done",
                                    agent.id().value(),
                                    message,
                                    version.number(),
                                    version.tag()));
            case FileChangeResult.Stale(var newest) ->
                    Response.refused(
                            ErrorCode.VERSION_CHANGED,
                            "the file is at version %d by now; look at it and try again"
                                    .formatted(newest.number()),
                            Map.of("current", OwnVersion.of(newest, true)));
            case FileChangeResult.Invalid(var problems) ->
                    Response.refused(
                            ErrorCode.INVALID_AGENT_FILE,
                            problems.stream()
                                    .map(YamlProblem::toString)
                                    .collect(Collectors.joining("; ")),
                            Map.of("problems", problems));
            case FileChangeResult.Refused(var code, var why) -> throw new SkepException(code, why);
        };
    }
}
