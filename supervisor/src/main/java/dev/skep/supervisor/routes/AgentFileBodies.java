package dev.skep.supervisor.routes;

import dev.skep.agents.version.AgentVersion;
import dev.skep.supervisor.source.AgentFiles.FileProblem;
import dev.skep.supervisor.source.AgentFiles.FileVersion;
import dev.skep.supervisor.source.AgentFiles.HostChoice;
import dev.skep.supervisor.source.AgentFiles.Outcome;
import dev.skep.supervisor.source.AgentFiles.PendingChange;
import dev.skep.transport.describe.Sparse;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the routes of agents' files take and answer. */
final class AgentFileBodies {
    private AgentFileBodies() {}

    /**
     * An agent to be made.
     *
     * @param host its host by id or name; or where
     * @param where tests of labels, such as gpu=a100, zone=ams|fra, os!=macos, memory>=32
     * @param file its whole YAML file
     */
    record AgentCreation(
            @Nullable String host, @Nullable String where, String file, @Nullable String reason) {}

    /**
     * Another text for an agent's file.
     *
     * @param version what the text was made from, for callers that send no If-Match
     * @param restart whether an agent at work begins anew with it at once
     */
    record AgentEdit(
            String file,
            @Nullable String reason,
            @Nullable Boolean restart,
            @Nullable String version) {}

    /**
     * An agent's end.
     *
     * @param version what was seen, for callers that send no If-Match
     * @param discardWork whether its workspace goes too if it has work that is nowhere else
     */
    record AgentRemoval(
            @Nullable String reason, @Nullable Boolean discardWork, @Nullable String version) {}

    record AgentReturn(@Nullable String reason) {}

    /**
     * The text of an older version as a new one.
     *
     * @param version what was seen, for callers that send no If-Match
     */
    record AgentRollBack(
            @Nullable String reason, @Nullable Boolean restart, @Nullable String version) {}

    /**
     * A text to be checked.
     *
     * @param username the agent whose file it is to be, if there is one
     */
    record AgentFileText(String file, @Nullable String username) {}

    record FileProblems(List<FileProblem> problems) {}

    record PendingChanges(List<PendingChange> pending) {}

    record HostChoices(List<HostChoice> hosts) {}

    /**
     * An agent with its file, and what is to become of it.
     *
     * @param version the newest; its own member version is the ETag
     * @param pending changes that wait for its host
     */
    record ManagedAgentFile(
            String id,
            String username,
            String host,
            String hostName,
            @Nullable String path,
            boolean removed,
            @Nullable FileVersion version,
            List<PendingChange> pending) {}

    /** A version without its text. */
    record ListedVersion(
            long number,
            String version,
            @Nullable String author,
            @Nullable String hub,
            @Nullable String reason,
            Instant createdAt) {
        static ListedVersion of(AgentVersion version) {
            return new ListedVersion(
                    version.number(),
                    version.tag(),
                    version.author(),
                    version.hub(),
                    version.reason(),
                    version.createdAt());
        }
    }

    record ListedVersions(List<ListedVersion> versions) {}

    /**
     * What came of a change.
     *
     * @param outcome done, or pending until its host is there
     * @param version of the file now
     * @param jobId what waits
     */
    record FileChangeAnswer(
            String outcome,
            String host,
            String message,
            @Nullable String agent,
            @Nullable Long number,
            @Nullable String version,
            @Nullable String jobId)
            implements Sparse {
        static FileChangeAnswer of(Outcome.Done done) {
            FileVersion version = done.version();
            return new FileChangeAnswer(
                    "done",
                    done.host(),
                    done.message(),
                    done.agent(),
                    version == null ? null : version.number(),
                    version == null ? null : version.version(),
                    null);
        }

        static FileChangeAnswer of(Outcome.Pending pending) {
            return new FileChangeAnswer(
                    "pending",
                    pending.host(),
                    "its host will do it when it is there",
                    null,
                    null,
                    null,
                    pending.job());
        }
    }
}
