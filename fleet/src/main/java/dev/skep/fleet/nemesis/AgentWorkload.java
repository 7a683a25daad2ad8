package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Agents of a runner: made, removed and brought back. */
final class AgentWorkload implements ClientTask {
    static final String LIVE = "live";
    static final String REMOVED = "removed";

    /** Each has a process of its own, and this machine has two cores. */
    private static final int MOST = 4;

    private static final String AGENTS = "/api/runner/agents";

    private final HttpClient client;
    private final NemesisProcess runner;
    private final Acknowledgements ledger;
    private final List<Thing> made = new ArrayList<>();

    AgentWorkload(HttpClient client, NemesisProcess runner, Acknowledgements ledger) {
        this.client = client;
        this.runner = runner;
        this.ledger = ledger;
    }

    @Override
    public Duration pause() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void step(RandomGenerator random) throws InterruptedException {
        if (made.size() < MOST) {
            String name = "made-%s-%d".formatted(runner.name, made.size());
            made.add(new Thing(Kind.AGENT, runner.name, name));
        }
        Thing agent = made.get(random.nextInt(made.size()));
        if (ledger.of(agent).contains(Acknowledgements.ABSENT)) {
            make(agent);
        } else {
            edit(agent);
        }
    }

    private void make(Thing agent) throws InterruptedException {
        Map<String, String> fields = Map.of("username", agent.name(), "model", FaultyFleet.MODEL);
        ledger.note(agent, LIVE, CallOutcome.of(client, runner, "POST", AGENTS, fields));
    }

    private void edit(Thing agent) throws InterruptedException {
        Set<String> now = ledger.of(agent);
        boolean restore = now.contains(REMOVED);
        String path = "%s/%s/%s".formatted(AGENTS, agent.name(), restore ? "restore" : "remove");
        CallOutcome answer = CallOutcome.of(client, runner, "POST", path, Map.of());
        ledger.note(agent, restore ? LIVE : REMOVED, answer);
    }
}
