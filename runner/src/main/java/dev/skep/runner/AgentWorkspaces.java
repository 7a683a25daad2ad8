package dev.skep.runner;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.runner.agent.DiskSize;
import dev.skep.runner.workspace.FolderSize;
import dev.skep.runner.workspace.WorkFolder;
import dev.skep.runner.workspace.Workspace;
import dev.skep.runner.workspace.WorkspaceDiff;
import dev.skep.runner.workspace.WorkspacePlace;
import dev.skep.runner.workspace.WorkspaceQuota;
import dev.skep.runner.workspace.WorkspaceShell;
import dev.skep.runner.workspace.WorkspaceStore;
import dev.skep.runner.workspace.Workspaces;
import dev.skep.shell.Shell;
import dev.skep.shell.ShellSettings;
import dev.skep.shell.redact.Redactor;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The workspaces of a runner's agents, by the agents' names. Thread-safe. */
public final class AgentWorkspaces {
    private static final String PATH = "/usr/local/bin:/usr/bin:/bin";
    private static final Duration LISTING = Duration.ofSeconds(20);

    private final Workspaces workspaces;
    private final Runner.Parts parts;
    private final KnownAgents known;
    private final AgentFileInterpreter agentFileInterpreter;

    private AgentWorkspaces(
            Workspaces workspaces,
            Runner.Parts parts,
            KnownAgents known,
            AgentFileInterpreter agentFileInterpreter) {
        this.workspaces = workspaces;
        this.parts = parts;
        this.known = known;
        this.agentFileInterpreter = agentFileInterpreter;
    }

    static AgentWorkspaces of(
            RunnerConfig config,
            Runner.Parts parts,
            Redactor redactor,
            KnownAgents known,
            AgentFileInterpreter agentFileInterpreter) {
        return new AgentWorkspaces(
                new Workspaces(
                        new WorkspaceStore(parts.database()),
                        parts.shells(),
                        config.dataDir(),
                        config.environment().getOrDefault("PATH", PATH),
                        redactor,
                        parts.clock()),
                parts,
                known,
                agentFileInterpreter);
    }

    /**
     * An agent's folder, and the clone in it if it has one.
     *
     * @param size empty where there was no time to look
     */
    public record Listed(
            WorkspacePlace place,
            @Nullable Workspace workspace,
            Optional<FolderSize> size,
            @Nullable DiskSize limit) {}

    /** Every agent that has a folder of its own, by name. */
    public List<Listed> list() {
        long end = System.nanoTime() + LISTING.toNanos();
        List<Listed> all = new ArrayList<>();
        for (AgentRegistrar.Registered each : byName()) {
            WorkspacePlace place = place(each);
            Workspace workspace = workspaces.find(each.agent().id()).orElse(null);
            if (workspace != null || Files.isDirectory(place.own())) {
                Duration left = Duration.ofNanos(end - System.nanoTime());
                all.add(
                        new Listed(
                                place,
                                workspace,
                                left.isPositive()
                                        ? Optional.of(workspaces.size(place, left))
                                        : Optional.empty(),
                                each.source().content().diskLimit()));
            }
        }
        return all;
    }

    private List<AgentRegistrar.Registered> byName() {
        return known.all().stream()
                .sorted((a, b) -> a.agent().username().compareTo(b.agent().username()))
                .toList();
    }

    /** What an agent changed. */
    public WorkspaceDiff diff(String username) throws InterruptedException {
        return workspaces.diff(named(username));
    }

    public byte[] patch(String username) throws InterruptedException {
        return workspaces.patch(named(username));
    }

    /** Deletes the clone of an agent; empty if it has none. */
    public Optional<ActionResult> remove(String username, boolean discard)
            throws InterruptedException {
        Optional<WorkspacePlace> place = known.named(username).map(this::place);
        if (place.isEmpty()) {
            return Optional.empty();
        }
        return switch (workspaces.remove(place.get(), discard)) {
            case Workspaces.Removed.Nothing() -> Optional.empty();
            case Workspaces.Removed.Gone() ->
                    Optional.of(
                            new ActionResult.Done("the workspace of " + username + " is deleted"));
            case Workspaces.Removed.Kept(var folder, var work) ->
                    Optional.of(
                            new ActionResult.Refused(
                                    "its workspace %s stays with %s; 'skep agents diff %s' shows that, 'skep agents remove %s --discard-work' deletes it"
                                            .formatted(
                                                    folder, work.described(), username, username)));
        };
    }

    /** A shell of an agent, in its workspace if it is to have one. */
    Shell shell(AgentRegistrar.Registered found, ShellSettings settings) {
        return found.source().content().workspace() == null
                ? parts.shells().open(settings)
                : new WorkspaceShell(workspaces, place(found), parts.shells(), settings);
    }

    /** What the agent's loop must know of where it works. */
    WorkFolder folder(AgentRegistrar.Registered found) {
        DiskSize limit = found.source().content().diskLimit();
        WorkspacePlace place = place(found);
        return new WorkFolder(
                workspaces,
                place,
                limit == null
                        ? Optional.empty()
                        : Optional.of(new WorkspaceQuota(place.own(), limit)));
    }

    private WorkspacePlace place(AgentRegistrar.Registered found) {
        return agentFileInterpreter.place(found, known.names());
    }

    private WorkspacePlace named(String username) {
        return known.named(username)
                .map(this::place)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.NOT_FOUND,
                                        "there is no agent '%s' on this host; 'skep agents' lists them"
                                                .formatted(username)));
    }
}
