package dev.skep.fleet.nemesis;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Mail from the operator of a runner or a hub to agents of any runner; its subject is its name. */
final class MailWorkload implements ClientTask {
    private static final int LONGEST = 3_000;

    private final HttpClient client;
    private final NemesisProcess nemesisProcess;
    private final List<String> readers;
    private final Acknowledgements ledger;
    private int sent;

    MailWorkload(
            HttpClient client,
            NemesisProcess nemesisProcess,
            List<String> readers,
            Acknowledgements ledger) {
        this.client = client;
        this.nemesisProcess = nemesisProcess;
        this.readers = readers;
        this.ledger = ledger;
    }

    @Override
    public Duration pause() {
        return Duration.ofMillis(700);
    }

    @Override
    public void step(RandomGenerator random) throws InterruptedException {
        Thing mail =
                new Thing(
                        Kind.MAIL,
                        nemesisProcess.name,
                        "mail-%s-%d".formatted(nemesisProcess.name, sent++));
        String to = readers.get(random.nextInt(readers.size()));
        String body = "x".repeat(1 + random.nextInt(LONGEST));
        String path = nemesisProcess.isHub ? FaultyFleet.ORG + "/mail" : "/api/runner/mail";
        Map<String, String> fields = Map.of("to", to, "subject", mail.name(), "body", body);
        ledger.note(
                mail,
                Acknowledgements.THERE,
                CallOutcome.of(client, nemesisProcess, "POST", path, fields));
    }
}
