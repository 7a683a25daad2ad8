package dev.skep.runner.workspace;

import dev.skep.agents.Agent;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where an agent of this host works.
 *
 * @param own the agent's own folder, which its disk limit is for
 * @param folder where it works without a workspace
 * @param wanted the repository that its file asks for, or null
 */
public record WorkspacePlace(Agent agent, Path own, Path folder, @Nullable WantedClone wanted) {
    /** The name of a workspace in an agent's own folder. */
    static final String NAME = "repo";

    /**
     * A repository to clone.
     *
     * @param problem why it may not be cloned, or null
     */
    public record WantedClone(Path repo, String branch, @Nullable String problem) {}

    /** The agent's clone, made or not. */
    public Path repository() {
        return own.resolve(NAME);
    }

    /** Home of a shell in the clone, where git does not look and nothing else is shown to it. */
    public Path homeInClone() {
        return homeIn(repository());
    }

    static Path homeIn(Path clone) {
        return clone.resolve(".git").resolve("home");
    }
}
