package dev.skep.runner.command;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStatus;
import java.util.List;

/** What agents may know about each other and do to each other; the runner implements it. */
public interface AgentDirectory {
    /** An agent or operator that can be mailed. */
    record Member(Agent agent, AgentStatus status) {}

    /** All live agents of the org, by name. */
    List<Member> members();

    /** Starts a subordinate; the text says what happened or why not. */
    CommandResult start(Agent lead, String name, String task);

    CommandResult stop(Agent lead, String name);

    /** The last lines of a subordinate's log. */
    CommandResult peek(Agent lead, String name, int lines);
}
