package dev.skep.browser;

import dev.skep.agents.Agent;
import dev.skep.agents.session.SessionKey;
import dev.skep.browser.demo.DemoFleet;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every page of the app, by name. */
final class Paths {
    private Paths() {}

    static Map<String, String> of(DemoFleet fleet) {
        Agent agent = fleet.agents().getFirst();
        SessionKey session = fleet.sessionOf(agent);
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("overview", "/overview");
        paths.put("hosts", "/hosts");
        paths.put("host", "/hosts/" + agent.host());
        paths.put("agents", "/agents");
        paths.put("agent", "/agents/" + agent.id());
        paths.put("new-agent", "/agents/new");
        // One with a change that waits for its host.
        paths.put("configuration", "/agents/" + fleet.agents().get(1).id() + "/configuration");
        paths.put("sessions", "/sessions");
        paths.put("session", sessionPath(session));
        Agent managed = fleet.managed();
        paths.put("managed-agent", "/agents/" + managed.id());
        paths.put("managed-session", sessionPath(fleet.sessionOf(managed)));
        paths.put("logs", "/logs");
        paths.put("mail", "/mail?id=" + fleet.newestMail());
        paths.put("costs", "/costs");
        paths.put("nodes", "/nodes");
        paths.put("node", "/nodes/" + fleet.firstNode());
        paths.put("jobs", "/jobs");
        paths.put("job", "/jobs/" + fleet.failedJob());
        paths.put("servers", "/servers");
        paths.put("sync", "/sync");
        paths.put("alerts", "/alerts");
        paths.put("audit", "/audit");
        paths.put("settings", "/settings");
        return paths;
    }

    static String sessionPath(SessionKey session) {
        return "/sessions/%s/%s/%d".formatted(session.agent(), session.run(), session.session());
    }
}
