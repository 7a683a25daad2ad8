package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import dev.skep.transport.route.JsonFields;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Jobs for the runners of a hub, each asked for with the same key until the hub says it has it. A
 * job adds its name to a file of its runner, so that it can be counted how often it ran.
 */
final class JobWorkload implements ClientTask {
    static final String EFFECTS = "work/.jobs/effects.txt";

    private final HttpClient client;
    private final NemesisProcess hub;
    private final Acknowledgements ledger;
    private Optional<Map<String, Object>> open = Optional.empty();
    private int asked;

    JobWorkload(HttpClient client, NemesisProcess hub, Acknowledgements ledger) {
        this.client = client;
        this.hub = hub;
        this.ledger = ledger;
    }

    @Override
    public Duration pause() {
        return Duration.ofMillis(1_200);
    }

    @Override
    public void step(RandomGenerator random) throws InterruptedException {
        if (open.isEmpty()) {
            open = next(random);
        }
        if (open.isPresent()) {
            Map<String, Object> job = open.get();
            CallOutcome answer =
                    CallOutcome.of(client, hub, "POST", FaultyFleet.ORG + "/jobs", job);
            Thing thing = new Thing(Kind.JOB, hub.name, "" + job.get("idempotencyKey"));
            ledger.note(thing, Acknowledgements.THERE, answer);
            if (answer instanceof CallOutcome.Yes) {
                open = Optional.empty();
            }
        }
    }

    private Optional<Map<String, Object>> next(RandomGenerator random) throws InterruptedException {
        if (!(CallOutcome.of(client, hub, "GET", FaultyFleet.ORG + "/hosts", Map.of())
                instanceof CallOutcome.Yes(JsonFields fields))) {
            return Optional.empty();
        }
        List<String> hosts =
                fields.list("hosts").stream()
                        .filter(host -> host.shown("name").startsWith(FaultyFleet.RUNNER))
                        .map(host -> host.text("id"))
                        .toList();
        if (hosts.isEmpty()) {
            return Optional.empty();
        }
        String key = "job-%s-%d".formatted(hub.name, asked++);
        String command = "echo '<%s>' >> effects.txt".formatted(key);
        // Now and then one that is likely to be there when something happens to its runner.
        // Its status stays that of the mark: on a full disk the job fails and is tried again.
        String slow = random.nextInt(4) == 0 ? " && sleep 2" : "";
        return Optional.of(
                Map.of(
                        "hostId",
                        hosts.get(random.nextInt(hosts.size())),
                        "type",
                        "shell",
                        "payload",
                        Map.of("command", command + slow),
                        "timeoutSeconds",
                        60,
                        "maxAttempts",
                        3,
                        "idempotencyKey",
                        key));
    }
}
