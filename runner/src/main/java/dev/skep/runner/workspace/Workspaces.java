package dev.skep.runner.workspace;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.runner.workspace.AgentGit.Question;
import dev.skep.shell.Shells;
import dev.skep.shell.redact.Redactor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The workspaces of this host's agents. Thread-safe; one agent's are made one at a time. */
public final class Workspaces {
    private static final int TEXT_LIMIT = 512 << 10;
    private static final int PATCH_LIMIT = 8 << 20;

    private final WorkspaceStore store;
    private final AgentGit agentGit;
    private final WorkspaceMaker maker;
    private final String path;
    private final Redactor redactor;
    private final InstantSource clock;
    private final Map<AgentId, Object> locks = new ConcurrentHashMap<>();

    /**
     * Makes nothing yet.
     *
     * @param path where programs are looked for
     */
    public Workspaces(
            WorkspaceStore store,
            Shells shells,
            Path dataDir,
            String path,
            Redactor redactor,
            InstantSource clock) {
        this.store = store;
        this.agentGit = new AgentGit(shells, List.of(dataDir));
        this.maker =
                new WorkspaceMaker(agentGit, dataDir.resolve("work").resolve(".workspaces"), path);
        this.path = path;
        this.redactor = redactor;
        this.clock = clock;
    }

    /** What came of making one ready. */
    public sealed interface Prepared {
        /** The agent works in this folder. */
        record Ready(Path folder) implements Prepared {}

        record Refused(String why) implements Prepared {}
    }

    /** What came of removing one. */
    public sealed interface Removed {
        record Gone() implements Removed {}

        /** There was none. */
        record Nothing() implements Removed {}

        /** It has work that its repository has not. */
        record Kept(Path folder, UnmergedWork work) implements Removed {}
    }

    /**
     * The agent's workspace, made if it is missing. That takes as long as a clone; not to be called
     * where others wait.
     */
    public Prepared prepare(WorkspacePlace place) throws InterruptedException {
        WorkspacePlace.WantedClone wanted = place.wanted();
        if (wanted == null) {
            return new Prepared.Refused("its file names no workspace");
        }
        if (wanted.problem() != null) {
            return new Prepared.Refused("workspace: " + wanted.problem());
        }
        synchronized (lock(place)) {
            Optional<Workspace> known = store.find(place.agent().id());
            boolean there = Files.isDirectory(place.repository(), LinkOption.NOFOLLOW_LINKS);
            if (there && known.isEmpty()) {
                return new Prepared.Refused(
                        "workspace: %s is in the way; move it elsewhere"
                                .formatted(place.repository()));
            }
            if (there && !known.get().repo().equals(wanted.repo().toString())) {
                return new Prepared.Refused(
                        "workspace: %s is a clone of %s; remove it first: skep agents remove %s --discard-work"
                                .formatted(
                                        place.repository(),
                                        known.get().repo(),
                                        place.agent().username()));
            }
            if (there) {
                return new Prepared.Ready(place.repository());
            }
            try {
                maker.make(
                        place,
                        wanted,
                        base ->
                                store.put(
                                        new Workspace(
                                                place.agent().id(),
                                                wanted.repo().toString(),
                                                wanted.branch(),
                                                base,
                                                clock.instant())));
                return new Prepared.Ready(place.repository());
            } catch (SkepException refused) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                return new Prepared.Refused("workspace: " + refused.getMessage());
            }
        }
    }

    /** The folder whose changes are an agent's: its workspace, or the one it works in. */
    private Path repository(WorkspacePlace place, Optional<Workspace> known) {
        return known.isPresent() ? place.repository() : place.folder();
    }

    /** What the agent changed since it started; without a workspace, since its last commit. */
    public WorkspaceDiff diff(WorkspacePlace place) throws InterruptedException {
        Map<String, byte[]> said = answer(place, Question.CHANGES, TEXT_LIMIT);
        byte[] text = section(said, "text");
        return new WorkspaceDiff(
                text(said, "branch"),
                text(said, "base"),
                ChangedFile.read(section(said, "raw"), section(said, "numstat")),
                redactor.redact(new String(text, StandardCharsets.UTF_8)),
                text.length >= TEXT_LIMIT,
                said.containsKey("incomplete"));
    }

    /** The same as a patch that {@code git apply} takes, binary files included. */
    public byte[] patch(WorkspacePlace place) throws InterruptedException {
        byte[] patch = section(answer(place, Question.PATCH, PATCH_LIMIT), "patch");
        if (patch.length >= PATCH_LIMIT) {
            throw new SkepException(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "the patch has more than %d MB; fetch the branch instead: git fetch --upload-pack='git -c safe.directory=* upload-pack' %s"
                            .formatted(
                                    PATCH_LIMIT >> 20,
                                    repository(place, store.find(place.agent().id()))));
        }
        return patch;
    }

    private Map<String, byte[]> answer(WorkspacePlace place, Question question, int limit)
            throws InterruptedException {
        Optional<Workspace> known = store.find(place.agent().id());
        Path repository = repository(place, known);
        if (!Files.isDirectory(repository)) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "%s has no repository to look at; %s is not there"
                            .formatted(place.agent().username(), repository));
        }
        Map<String, byte[]> said =
                agentGit.ask(
                        place, repository, question, known.map(Workspace::base).orElse(""), limit);
        if (said.containsKey("problem")) {
            throw new SkepException(
                    ErrorCode.CONFLICT, "%s: %s".formatted(repository, text(said, "problem")));
        }
        return said;
    }

    /** What the agent's own folder holds, its workspace included, as far as there is time. */
    public FolderSize size(WorkspacePlace place, Duration longest) {
        return FolderSize.of(place.own(), longest);
    }

    public Optional<Workspace> find(AgentId agent) {
        return store.find(agent);
    }

    /** The work that the owner's repository does not have. */
    public UnmergedWork unmerged(WorkspacePlace place) throws InterruptedException {
        Optional<Workspace> known = store.find(place.agent().id());
        if (known.isEmpty() || Files.notExists(place.repository(), LinkOption.NOFOLLOW_LINKS)) {
            return new UnmergedWork(List.of(), List.of(), "");
        }
        Map<String, byte[]> said =
                agentGit.ask(
                        place, place.repository(), Question.WORK, known.get().base(), TEXT_LIMIT);
        if (said.containsKey("problem")) {
            return new UnmergedWork(List.of(), List.of(), text(said, "problem"));
        }
        CommitLines commits = CommitLines.of(text(said, "commits"));
        Set<String> lacking =
                commits.ids().isEmpty()
                        ? Set.of()
                        : new OwnersRepository(Path.of(known.get().repo()), path)
                                .lacks(commits.ids());
        return new UnmergedWork(
                commits.titles(lacking).stream().map(redactor::redact).toList(),
                ChangedFile.read(section(said, "raw"), new byte[0]).stream()
                        .map(ChangedFile::path)
                        .toList(),
                "");
    }

    /**
     * Deletes an agent's workspace.
     *
     * @param discard also if work is lost with it
     */
    public Removed remove(WorkspacePlace place, boolean discard) throws InterruptedException {
        synchronized (lock(place)) {
            if (store.find(place.agent().id()).isEmpty()) {
                return new Removed.Nothing();
            }
            if (!discard) {
                UnmergedWork work = unmerged(place);
                if (!work.isNone()) {
                    return new Removed.Kept(place.repository(), work);
                }
            }
            maker.remove(place, () -> store.remove(place.agent().id()));
            return new Removed.Gone();
        }
    }

    private Object lock(WorkspacePlace place) {
        return locks.computeIfAbsent(place.agent().id(), _ -> new Object());
    }

    private static byte[] section(Map<String, byte[]> said, String name) {
        return said.getOrDefault(name, new byte[0]);
    }

    private static String text(Map<String, byte[]> said, String name) {
        return new String(section(said, name), StandardCharsets.UTF_8).strip();
    }
}
