package dev.skep.runner.api;

import dev.skep.kernel.identity.Role;
import dev.skep.runner.AgentService;
import dev.skep.runner.AgentWorkspaces;
import dev.skep.runner.workspace.FolderSize;
import dev.skep.runner.workspace.Workspace;
import dev.skep.runner.workspace.WorkspaceDiff;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where agents work, and what they changed there. */
public final class WorkspaceRoutes implements Route.Source {
    private final AgentService agentService;

    public WorkspaceRoutes(AgentService agentService) {
        this.agentService = agentService;
    }

    /**
     * An agent's folder as people see it.
     *
     * @param repo whose clone is in it, or null
     * @param bytes null where there was no time to look
     * @param complete whether all of it could be looked at
     */
    public record WorkspaceSummary(
            String agent,
            String folder,
            @Nullable String repo,
            @Nullable String branch,
            @Nullable Long bytes,
            boolean complete,
            @Nullable Long limit,
            @Nullable String madeAt) {}

    /** A file that an agent changed. */
    public record FileSummary(
            String path,
            @Nullable String oldPath,
            String change,
            long added,
            long deleted,
            boolean binary) {}

    @Override
    public List<Route> routes() {
        return List.of(
                AgentRoutes.read("/api/runner/workspaces", _ -> list())
                        .described(
                                Operation.of("The agents' folders with their sizes and limits.")
                                        .answers(WorkspaceList.class)),
                AgentRoutes.read("/api/runner/agents/{agent}/diff", this::diff)
                        .described(
                                Operation.of(
                                                "What an agent changed in its workspace, as files with a bounded diff.")
                                        .answers(ChangedFiles.class)),
                // A patch is what was written, secrets included; a diff is for reading.
                new Route(
                                HttpMethod.GET,
                                "/api/runner/agents/{agent}/patch",
                                Access.operators(Role.OPERATOR),
                                OrgScope.CALLER,
                                this::patch)
                        .described(
                                Operation.of(
                                                "All that an agent changed, as a patch for `git apply`.")
                                        .answersText("application/octet-stream")));
    }

    private record WorkspaceList(List<WorkspaceSummary> workspaces) {}

    /**
     * What differs from the base.
     *
     * @param cut whether the text was too long to be whole
     */
    private record ChangedFiles(
            String branch,
            String base,
            List<FileSummary> files,
            String text,
            boolean cut,
            boolean incomplete) {}

    private Response list() {
        return Response.json(
                new WorkspaceList(
                        agentService.workspaces().list().stream()
                                .map(WorkspaceRoutes::shown)
                                .toList()));
    }

    private static WorkspaceSummary shown(AgentWorkspaces.Listed each) {
        Workspace workspace = each.workspace();
        return new WorkspaceSummary(
                each.place().agent().username(),
                (workspace == null ? each.place().own() : each.place().repository()).toString(),
                workspace == null ? null : workspace.repo(),
                workspace == null ? null : workspace.branch(),
                each.size().map(FolderSize::bytes).orElse(null),
                each.size().map(FolderSize::complete).orElse(false),
                each.limit() == null ? null : each.limit().bytes(),
                workspace == null ? null : RunnerResponses.time(workspace.madeAt()));
    }

    private Response diff(Request request) {
        return RunnerResponses.interruptibly(
                () -> {
                    WorkspaceDiff diff = agentService.workspaces().diff(request.parameter("agent"));
                    return Response.json(
                            new ChangedFiles(
                                    diff.branch(),
                                    diff.base(),
                                    diff.files().stream()
                                            .map(
                                                    file ->
                                                            new FileSummary(
                                                                    file.path(),
                                                                    file.oldPath(),
                                                                    file.change()
                                                                            .name()
                                                                            .toLowerCase(
                                                                                    Locale.ROOT),
                                                                    file.added(),
                                                                    file.deleted(),
                                                                    file.binary()))
                                            .toList(),
                                    diff.text(),
                                    diff.cut(),
                                    diff.incomplete()));
                });
    }

    private Response patch(Request request) {
        return RunnerResponses.interruptibly(
                () -> {
                    byte[] patch = agentService.workspaces().patch(request.parameter("agent"));
                    return new Response(
                                    200,
                                    "application/octet-stream",
                                    Map.of(),
                                    out -> out.write(patch))
                            .with("content-disposition", "attachment; filename=agent.patch");
                });
    }
}
