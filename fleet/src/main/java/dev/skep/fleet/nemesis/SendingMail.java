package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Mail from the operator of a runner or a hub to agents of any runner; its subject is its name. */
final class SendingMail implements Work {
    private static final int LONGEST = 3_000;

    private final HttpClient client;
    private final Victim victim;
    private final List<String> readers;
    private final Acknowledgements ledger;
    private int sent;

    SendingMail(HttpClient client, Victim victim, List<String> readers, Acknowledgements ledger) {
        this.client = client;
        this.victim = victim;
        this.readers = readers;
        this.ledger = ledger;
    }

    @Override
    public Duration pause() {
        return Duration.ofMillis(700);
    }

    @Override
    public void step(RandomGenerator random) throws InterruptedException {
        Thing mail = new Thing(Kind.MAIL, victim.name, "mail-%s-%d".formatted(victim.name, sent++));
        String to = readers.get(random.nextInt(readers.size()));
        String body = "x".repeat(1 + random.nextInt(LONGEST));
        String path = victim.isHub ? TroubledFleet.ORG + "/mail" : "/api/runner/mail";
        Map<String, String> fields = Map.of("to", to, "subject", mail.name(), "body", body);
        ledger.note(mail, Acknowledgements.THERE, Asked.of(client, victim, "POST", path, fields));
    }
}
