package dev.skep.supervisor.view;

import dev.skep.kernel.identity.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names of agents and hosts for people, at most a second old; an id where no name is known. */
public record DisplayNames(Map<String, AgentView> agents, Map<String, HostView> hosts) {
    private static final Pattern ID = Pattern.compile("\\b[0-9A-HJKMNP-TV-Z]{26}\\b");

    static DisplayNames of(FleetReader fleet, Principal principal) {
        Map<String, AgentView> agents = new HashMap<>();
        fleet.recentAgents(principal).forEach(agent -> agents.put(agent.id(), agent));
        Map<String, HostView> hosts = new HashMap<>();
        fleet.recentHosts(principal).forEach(host -> hosts.put(host.id(), host));
        return new DisplayNames(agents, hosts);
    }

    public String agent(String id) {
        AgentView agent = agents.get(id);
        return agent == null ? id : agent.username();
    }

    public String host(String id) {
        HostView host = hosts.get(id);
        return host == null ? id : host.name();
    }

    /** A text with the names of hosts where it has their ids; other ids by their ends. */
    String replaceIds(String text) {
        return ID.matcher(text).replaceAll(id -> Matcher.quoteReplacement(word(id.group())));
    }

    private String word(String id) {
        HostView host = hosts.get(id);
        return host == null ? "…" + id.substring(id.length() - 6) : host.name();
    }

    /** Whether a host answers, so that its last report is still true. */
    boolean isThere(String id) {
        HostView host = hosts.get(id);
        return host != null && host.isThere();
    }
}
