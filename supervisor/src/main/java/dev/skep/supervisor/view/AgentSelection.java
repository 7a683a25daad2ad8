package dev.skep.supervisor.view;

import dev.skep.agents.Agent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Which agents a person means; people and removed agents are never among them. Pure. */
public final class AgentSelection {
    private AgentSelection() {}

    /** Those with these names or ids, each once; throws if one of them is nobody, or several. */
    public static List<AgentView> named(List<AgentView> all, List<String> names) {
        if (names.isEmpty()) {
            throw new SkepException(ErrorCode.BAD_REQUEST, "field 'agents' names no agent");
        }
        Map<String, AgentView> chosen = new LinkedHashMap<>();
        for (String name : names) {
            AgentView agent = named(all, name);
            chosen.put(agent.id(), agent);
        }
        return List.copyOf(chosen.values());
    }

    private static AgentView named(List<AgentView> all, String name) {
        List<AgentView> found =
                all.stream()
                        .filter(AgentSelection::isAgent)
                        .filter(
                                agent ->
                                        agent.id().equals(name)
                                                || agent.username().equals(name)
                                                || (agent.username() + "@" + agent.hostName())
                                                        .equals(name))
                        .toList();
        if (found.size() > 1) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "there are %d agents '%s'; name one as %s@HOST, or by its id"
                            .formatted(found.size(), name, name));
        }
        if (found.isEmpty()) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND,
                    "there is no agent '%s'; nothing was done to any".formatted(name));
        }
        return found.getFirst();
    }

    /**
     * Those that fit all that is asked for, which may be nothing.
     *
     * @param host its name or id
     * @param text part of the agent's name, title or model
     */
    public static List<AgentView> matching(
            List<AgentView> all,
            Optional<String> host,
            Optional<String> status,
            Optional<String> text) {
        return all.stream()
                .filter(AgentSelection::isAgent)
                .filter(
                        agent ->
                                host.isEmpty()
                                        || host.get().equals(agent.host())
                                        || host.get().equals(agent.hostName()))
                .filter(agent -> status.isEmpty() || status.get().equals(agent.status()))
                .filter(agent -> text.isEmpty() || shown(agent).contains(lower(text.get())))
                .toList();
    }

    static boolean isAgent(AgentView agent) {
        return agent.kind().equals(Agent.Kind.AGENT.stored()) && !agent.removed();
    }

    private static String shown(AgentView agent) {
        String title = agent.title();
        String model = agent.model();
        return lower(
                "%s@%s %s %s"
                        .formatted(
                                agent.username(),
                                agent.hostName(),
                                title == null ? "" : title,
                                model == null ? "" : model));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
