package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookSignature;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.outgoing.AddressGuard;
import dev.skep.dispatch.outgoing.PinnedSocket;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhooksTest {
    private static final OrgId ORG = new OrgId("default");

    private record Received(Map<String, String> headers, String body) {}

    private final SettableClock time = SettableClock.atNewYear();
    private final SettableClock steady = SettableClock.atNewYear();
    private final List<Received> received = Collections.synchronizedList(new ArrayList<>());
    private final DeliveryStore deliveries = new DeliveryStore();
    private final WebhookStore webhooks = new WebhookStore();
    @TempDir Path folder;
    private HttpServer receiver;
    private volatile int status = 204;
    private volatile String answer = "";
    private Database database;
    private SealedSecrets secrets;
    private AlertService alertService;

    @BeforeEach
    void open() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    Map<String, String> headers = new HashMap<>();
                    exchange.getRequestHeaders()
                            .forEach(
                                    (n, v) ->
                                            headers.put(n.toLowerCase(Locale.ROOT), v.getFirst()));
                    received.add(
                            new Received(
                                    headers,
                                    new String(
                                            exchange.getRequestBody().readAllBytes(),
                                            StandardCharsets.UTF_8)));
                    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        receiver.start();
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), time);
        secrets = SealedSecrets.open(folder.resolve("secrets.key"), new SecureRandom());
        alertService =
                new AlertService(
                        new AlertStore(),
                        webhooks,
                        deliveries,
                        new UlidSource(time, new Random(2)),
                        time);
    }

    @AfterEach
    void close() {
        receiver.stop(0);
        database.close();
    }

    @Test
    void a_generic_webhook_gets_the_alert_signed_by_the_standard_scheme() throws Exception {
        String secret = WebhookSignature.newSecret(new SecureRandom());
        add("w1", Webhook.Kind.GENERIC, Set.of(), secret);
        raise(AlertKind.AGENT_OFFLINE);

        assertThat(sender(true).send()).isEqualTo(1);
        Received got = received.getFirst();
        assertThat(Json.fields(got.body()).text("type")).isEqualTo("AGENT_OFFLINE");
        String signed =
                got.headers().get("webhook-id")
                        + "."
                        + got.headers().get("webhook-timestamp")
                        + "."
                        + got.body();
        Mac mac = Mac.getInstance("HmacSHA256");
        byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        String expected =
                Base64.getEncoder()
                        .encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        assertThat(got.headers().get("webhook-signature")).isEqualTo("v1," + expected);
        assertThat(latest("w1").state()).isEqualTo("done");
        assertThat(storedSecret()).doesNotContain(secret.substring(6));
    }

    @Test
    void discord_gets_an_embed_within_its_limits_without_mentions() throws Exception {
        add("w1", Webhook.Kind.DISCORD, Set.of(), null);
        database.write(
                tx -> {
                    alertService.report(
                            tx,
                            ORG,
                            AlertKind.JOB_FAILED,
                            "job:1",
                            "@everyone " + "x".repeat(9_000));
                    return true;
                });
        sender(true).send();

        JsonFields body = Json.fields(received.getFirst().body());
        JsonFields embed = body.list("embeds").getFirst();
        assertThat(embed.text("description")).hasSize(4_096).endsWith("…");
        assertThat(body.object("allowed_mentions").orElseThrow().textList("parse")).isEmpty();
    }

    @Test
    void a_failed_delivery_is_tried_again_later_and_waits_as_long_as_the_receiver_asks()
            throws Exception {
        add("w1", Webhook.Kind.DISCORD, Set.of(), null);
        raise(AlertKind.SYNC_STALLED);
        status = 500;
        sender(true).send();
        assertThat(latest("w1").state()).isEqualTo("waiting");
        assertThat(latest("w1").lastStatus()).isEqualTo(500);

        steady.advance(Duration.ofMinutes(1));
        status = 429;
        answer = "{\"retry_after\": 90.5}";
        sender(true).send();
        steady.advance(Duration.ofSeconds(90));
        assertThat(sender(true).send()).isZero();
        steady.advance(Duration.ofSeconds(1));
        status = 204;
        answer = "";
        assertThat(sender(true).send()).isEqualTo(1);
        assertThat(latest("w1").state()).isEqualTo("done");
        assertThat(latest("w1").tries()).isEqualTo(3);
    }

    @Test
    void a_wall_clock_that_is_set_neither_hurries_a_message_nor_holds_it_back() throws Exception {
        add("w1", Webhook.Kind.DISCORD, Set.of(), null);
        time.advance(Duration.ofDays(3));
        raise(AlertKind.SYNC_STALLED);
        status = 500;
        assertThat(sender(true).send()).isEqualTo(1);
        time.advance(Duration.ofHours(7));
        assertThat(sender(true).send()).isZero();
        time.advance(Duration.ofDays(-30));
        steady.advance(Duration.ofMinutes(1));
        status = 204;
        assertThat(sender(true).send()).isEqualTo(1);
        assertThat(latest("w1").state()).isEqualTo("done");
    }

    @Test
    void gone_disables_the_webhook_and_a_redirect_is_not_followed() throws Exception {
        add("w1", Webhook.Kind.DISCORD, Set.of(), null);
        raise(AlertKind.SYNC_STALLED);
        status = 302;
        sender(true).send();
        assertThat(latest("w1").state()).isEqualTo("failed");
        assertThat(latest("w1").lastError()).contains("redirects");

        raise(AlertKind.AGENT_OFFLINE);
        status = 410;
        sender(true).send();
        raise(AlertKind.BUDGET_EXHAUSTED);
        assertThat(sender(true).send()).isZero();
        Webhook gone = database.read(s -> webhooks.find(s, ORG, "w1").orElseThrow());
        assertThat(gone.disabledReason()).contains("410");
    }

    @Test
    void private_addresses_are_refused_unless_allowed() throws Exception {
        add("w1", Webhook.Kind.DISCORD, Set.of(), null);
        raise(AlertKind.AGENT_OFFLINE);
        sender(false).send();

        assertThat(received).isEmpty();
        assertThat(latest("w1").state()).isEqualTo("failed");
        assertThat(latest("w1").lastError()).contains("private address");
    }

    @Test
    void a_webhook_receives_only_what_it_chose_and_the_same_alert_once() throws Exception {
        add("w1", Webhook.Kind.DISCORD, Set.of("JOB_FAILED"), null);
        raise(AlertKind.AGENT_OFFLINE);
        assertThat(sender(true).send()).isZero();

        add("w2", Webhook.Kind.DISCORD, Set.of(), null);
        raise(AlertKind.AGENT_OFFLINE);
        assertThat(sender(true).send()).isZero();
        raise(AlertKind.BUDGET_EXHAUSTED);
        raise(AlertKind.BUDGET_EXHAUSTED);
        assertThat(sender(true).send()).isEqualTo(1);
    }

    @Test
    void a_test_goes_to_one_webhook_whatever_it_chose() throws Exception {
        add("w1", Webhook.Kind.DISCORD, Set.of("JOB_FAILED"), null);
        Webhook webhook = database.read(s -> webhooks.find(s, ORG, "w1").orElseThrow());
        database.write(tx -> alertService.test(tx, ORG, webhook));

        assertThat(sender(true).send()).isEqualTo(1);
        assertThat(received.getFirst().body()).contains("test of the webhook");
    }

    @Test
    void the_test_of_a_webhook_shows_what_the_other_side_answered() {
        add("w1", Webhook.Kind.GENERIC, Set.of(), WebhookSignature.newSecret(new SecureRandom()));
        assertThat(tested(true))
                .extracting(DeliveryStore.View::state, DeliveryStore.View::lastStatus)
                .containsExactly("done", 204);
        status = 500;
        assertThat(tested(true))
                .extracting(DeliveryStore.View::state, DeliveryStore.View::lastStatus)
                .containsExactly("waiting", 500);
        assertThat(tested(false).state()).isEqualTo("failed");
        assertThat(tested(false).lastError()).contains("is a private address");
        receiver.stop(0);
        assertThat(tested(true).lastError()).isEqualTo("ConnectException");
    }

    private DeliveryStore.View tested(boolean privateAllowed) {
        Webhook webhook = database.read(s -> webhooks.find(s, ORG, "w1").orElseThrow());
        return sender(privateAllowed).sendAtOnce(tx -> alertService.test(tx, ORG, webhook));
    }

    private void raise(AlertKind kind) {
        database.write(
                tx -> {
                    alertService.raise(tx, ORG, kind, "host:h1", "Host h1 sends no heartbeats.");
                    return true;
                });
    }

    private void add(String id, Webhook.Kind kind, Set<String> topics, @Nullable String secret) {
        String url = "http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort());
        database.write(
                tx -> {
                    webhooks.insert(
                            tx,
                            ORG,
                            new Webhook(id, kind, id, url, topics, null, time.instant()),
                            secret == null ? null : secrets.seal(secret, Webhook.label(id)));
                    return true;
                });
    }

    private DeliverySender sender(boolean privateAllowed) {
        return new DeliverySender(
                database,
                deliveries,
                webhooks,
                secrets,
                new PinnedSocket(new AddressGuard(privateAllowed)),
                new Random(3),
                time,
                steady);
    }

    private DeliveryStore.View latest(String webhook) {
        return database.read(s -> deliveries.latest(s, ORG, webhook, 1)).getFirst();
    }

    private String storedSecret() {
        return database.read(
                s -> s.first("SELECT secret FROM webhooks", r -> r.text("secret")).orElseThrow());
    }
}
