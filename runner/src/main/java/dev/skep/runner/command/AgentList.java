package dev.skep.runner.command;

import dev.skep.agents.Agent;
import java.util.Locale;
import java.util.stream.Collectors;

/** Everybody who can be mailed, as agents read it. */
public final class AgentList {
    private AgentList() {}

    /** A line for each, with what it is to the one who asks. */
    public static String of(AgentDirectory agentDirectory, Agent asking) {
        return agentDirectory.members().stream()
                .map(
                        member ->
                                "  %-20s %-18s %s%s"
                                        .formatted(
                                                member.agent().username(),
                                                member.status().stored().replace('_', ' '),
                                                member.agent().title() == null
                                                        ? member.agent()
                                                                .kind()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT)
                                                        : member.agent().title(),
                                                note(asking, member.agent())))
                .collect(Collectors.joining("\n"));
    }

    private static String note(Agent asking, Agent other) {
        if (other.id().equals(asking.id())) {
            return " (you)";
        }
        if (asking.id().equals(other.lead())) {
            return " (your subordinate)";
        }
        return other.id().equals(asking.lead()) ? " (your lead)" : "";
    }
}
