package dev.skep.runner.workspace;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Consumer;

/**
 * Makes an agent's clone: as the runner's user where only the runner reaches it, then given to the
 * agent's user and moved into the agent's folder.
 */
final class WorkspaceMaker {
    private final AgentGit agentGit;
    private final Path staging;
    private final String path;

    WorkspaceMaker(AgentGit agentGit, Path staging, String path) {
        this.agentGit = agentGit;
        this.staging = staging;
        this.path = path;
    }

    /**
     * Makes it whole or not at all.
     *
     * @param record keeps the commit that it starts from, before there is anything to keep it of
     */
    void make(WorkspacePlace place, WorkspacePlace.WantedClone wanted, Consumer<String> record) {
        Path fresh = staging.resolve(place.agent().id().value());
        try {
            makeStaging();
            delete(fresh);
            String base =
                    new OwnersRepository(wanted.repo(), path)
                            .cloneTo(
                                    fresh,
                                    wanted.branch(),
                                    "%s@%s"
                                            .formatted(
                                                    place.agent().username(),
                                                    place.agent().hostName()));
            Files.createDirectories(WorkspacePlace.homeIn(fresh));
            agentGit.giveOwnFolder(place);
            give(fresh, place.own());
            if (Files.exists(place.repository(), LinkOption.NOFOLLOW_LINKS)) {
                throw new SkepException(
                        ErrorCode.CONFLICT,
                        "%s is in the way; move it elsewhere".formatted(place.repository()));
            }
            record.accept(base);
            DurableFiles.move(fresh, place.repository());
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "%s cannot be made; is the disk full?".formatted(place.repository()),
                    e);
        } finally {
            deleteQuietly(fresh);
        }
    }

    /** To the user that has the agent's own folder. Nobody else reaches the tree yet. */
    private void give(Path tree, Path own) throws IOException {
        Object owner = Files.getAttribute(own, "unix:uid");
        if (owner.equals(Files.getAttribute(tree, "unix:uid"))) {
            return;
        }
        command("chown", "-hR", owner + ":" + owner, tree.toString());
    }

    /**
     * Takes it away at once, and then deletes it.
     *
     * @param forget runs when the agent has it no longer
     */
    void remove(WorkspacePlace place, Runnable forget) {
        Path gone = staging.resolve(place.agent().id().value() + ".gone");
        try {
            makeStaging();
            delete(gone);
            if (Files.exists(place.repository(), LinkOption.NOFOLLOW_LINKS)) {
                // A link that was put in its place is moved, and deleted, itself.
                DurableFiles.move(place.repository(), gone);
            }
            forget.run();
            delete(gone);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "not all of %s could be deleted; see %s".formatted(place.repository(), gone),
                    e);
        }
    }

    private void makeStaging() throws IOException {
        Files.createDirectories(staging);
        Files.setPosixFilePermissions(staging, PosixFilePermissions.fromString("rwx------"));
    }

    private void deleteQuietly(Path tree) {
        try {
            delete(tree);
        } catch (IOException e) {
            // The next start deletes it, or says why it cannot.
        }
    }

    /** Something of the agent's may still run in there: rm is not led elsewhere by links. */
    private void delete(Path tree) throws IOException {
        if (Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            command("rm", "-rf", "--", tree.toString());
        }
    }

    private void command(String... words) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.redirectErrorStream(true);
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        try {
            if (builder.start().waitFor() != 0) {
                throw new IOException(words[0] + " failed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
