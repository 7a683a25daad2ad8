package dev.skep.agents.mail;

import dev.skep.kernel.id.AgentId;
import java.util.List;

/** The result of sending a message: to all recipients or to none. */
public sealed interface SendResult {
    record Sent(String id, List<AgentId> recipients) implements SendResult {}

    /**
     * Nothing was sent.
     *
     * @param problems one line for each thing that is wrong
     */
    record Refused(List<String> problems) implements SendResult {
        public Refused {
            problems = List.copyOf(problems);
        }
    }
}
