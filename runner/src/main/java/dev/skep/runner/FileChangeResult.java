package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.models.yaml.YamlProblem;
import java.util.List;

/** What came of changing an agent's file. */
public sealed interface FileChangeResult {
    /**
     * It is as was asked.
     *
     * @param version the newest, which is the one from before if nothing changed
     */
    record Done(Agent agent, AgentVersion version, String message) implements FileChangeResult {}

    /** The file is not the one that the change was made for; nothing was changed. */
    record Stale(AgentVersion newest) implements FileChangeResult {}

    /** The text cannot be the agent's file on this host; nothing was changed. */
    record Invalid(List<YamlProblem> problems) implements FileChangeResult {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }

    /** It cannot be done; nothing was changed. */
    record Refused(ErrorCode code, String why) implements FileChangeResult {}
}
