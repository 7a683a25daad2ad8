package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** People of a hub: added, and given other roles. */
final class OperatorWorkload implements ClientTask {
    private static final List<String> ROLES = List.of("viewer", "operator", "admin");
    private static final String OPERATORS = FaultyFleet.ORG + "/operators";

    private final HttpClient client;
    private final NemesisProcess hub;
    private final Acknowledgements ledger;
    private final List<Thing> made = new ArrayList<>();

    OperatorWorkload(HttpClient client, NemesisProcess hub, Acknowledgements ledger) {
        this.client = client;
        this.hub = hub;
        this.ledger = ledger;
    }

    @Override
    public Duration pause() {
        return Duration.ofSeconds(2);
    }

    @Override
    public void step(RandomGenerator random) throws InterruptedException {
        String role = ROLES.get(random.nextInt(ROLES.size()));
        if (made.isEmpty() || random.nextBoolean()) {
            String name = "person-%s-%d".formatted(hub.name, made.size());
            Thing person = new Thing(Kind.OPERATOR, hub.name, name);
            made.add(person);
            Map<String, String> fields = Map.of("username", name, "role", role);
            ledger.note(person, role, CallOutcome.of(client, hub, "POST", OPERATORS, fields));
        } else {
            Thing person = made.get(random.nextInt(made.size()));
            String path = OPERATORS + "/" + person.name();
            Map<String, String> fields = Map.of("role", role);
            ledger.note(person, role, CallOutcome.of(client, hub, "PATCH", path, fields));
        }
    }
}
