package dev.skep.supervisor.source;

import dev.skep.agents.Agent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes agents and changes their files wherever they run: only their own host writes them. */
public interface AgentFiles {
    /** Something wrong in a file, where it stands. */
    record FileProblem(int line, int column, String key, String message) {}

    /** A version of a file that somebody is told about. */
    record FileVersion(
            long number,
            String version,
            @Nullable String author,
            @Nullable String reason,
            String file,
            @Nullable Instant createdAt) {}

    /**
     * An agent to be made.
     *
     * @param host the id or name of its host; null if {@code where} says which, or it is this one
     * @param where tests of labels that its host has to pass
     */
    record Creation(
            @Nullable String host, @Nullable String where, String file, @Nullable String reason) {}

    /** What is to become of an agent. */
    sealed interface Change {
        /**
         * Another text for its file.
         *
         * @param version the one the text was made from
         * @param restart whether it begins anew with it at once, if it is at work
         */
        record Edit(String version, String file, @Nullable String reason, boolean restart)
                implements Change {}

        /**
         * Its end; its history stays.
         *
         * @param version the one that was seen by who decided
         * @param discardWork whether its workspace goes too if it has work that is nowhere else
         */
        record Remove(String version, @Nullable String reason, boolean discardWork)
                implements Change {}

        /** Its return after it was removed. */
        record Restore(@Nullable String reason) implements Change {}
    }

    /** What came of asking. */
    sealed interface Outcome {
        /**
         * It is done.
         *
         * @param agent the agent's id
         * @param version of its file now; null if the host did not say
         */
        record Done(String agent, String host, @Nullable FileVersion version, String message)
                implements Outcome {}

        /** The host will do it; the job shows when. */
        record Pending(String host, String job) implements Outcome {}

        /** The file is another than the one the change was made for. */
        record Stale(FileVersion current) implements Outcome {}

        /** The file cannot be used. */
        record Invalid(List<FileProblem> problems) implements Outcome {
            public Invalid {
                problems = List.copyOf(problems);
            }
        }

        /** It cannot be done, and why. */
        record Refused(ErrorCode code, String why) implements Outcome {}
    }

    /** A change that its host has not made yet. */
    record PendingChange(
            String job,
            String type,
            String host,
            String agent,
            @Nullable String agentId,
            String by,
            @Nullable String reason,
            Instant createdAt) {}

    /** A host on which an agent could be made, or why it could not. */
    record HostChoice(String id, String name, int agents, @Nullable String obstacle) {}

    /** What is wrong with a text, as far as that can be said without its host. */
    List<FileProblem> problems(@Nullable String username, String file);

    Outcome create(Actor actor, Creation creation);

    Outcome change(Actor actor, Agent agent, Change change);

    /** Changes that wait for their host, the oldest first. */
    List<PendingChange> pending(Principal who, Optional<String> host);

    /**
     * The hosts an agent may be given to, by name; those that do not fit {@code where} left out.
     */
    List<HostChoice> hosts(Principal who, Optional<String> where);
}
