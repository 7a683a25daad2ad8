package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.operator.OperatorStore;
import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.CardLinks;
import dev.skep.dispatch.alert.DeliverySender;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.Webhook;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.notification.NoticeWriter;
import dev.skep.dispatch.notification.Notifier;
import dev.skep.dispatch.notification.OperatorsOfOrg;
import dev.skep.dispatch.outgoing.AddressGuard;
import dev.skep.dispatch.outgoing.PinnedSocket;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
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
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person's channels get: what was chosen, together, once, and only while it is so. */
class TellingPeopleTest {
    private static final OrgId ORG = new OrgId("default");
    private static final String HIDDEN = "sk-abcdefghijklmnop123456";

    private final SettableClock time = SettableClock.atNewYear();
    private final SettableClock steady = SettableClock.atNewYear();
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    private final WebhookStore webhooks = new WebhookStore();
    private final DeliveryStore deliveries = new DeliveryStore();
    private final UlidSource ids = new UlidSource(time, new Random(2));
    private final CardLinks links = new CardLinks();
    @TempDir Path folder;
    private HttpServer receiver;
    private volatile int status = 200;
    private volatile String answer = "ok";
    private Database database;
    private SealedSecrets secrets;
    private OperatorStore operators;
    private AlertService alerts;
    private Notifier notifier;
    private String lena;

    @BeforeEach
    void open() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    received.add(
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
                    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        receiver.start();
        database = Databases.open(new DatabaseUrl.Sqlite(folder.resolve("hub.db")), time);
        secrets = SealedSecrets.open(folder.resolve("secrets.key"), new SecureRandom());
        operators = new OperatorStore(ids, time, new AuditStore(ids, time));
        lena =
                database.write(
                        tx -> operators.add(tx, Actor.local(ORG), "lena", Role.OPERATOR).id());
        links.reachedAt("https://hub.example.org");
        var writer =
                new NoticeWriter(
                        webhooks, text -> text.replace(HIDDEN, "[redacted]"), ids, time, steady);
        alerts = new AlertService(new AlertStore(), webhooks, deliveries, writer, links, ids, time);
        notifier =
                new Notifier(
                        database,
                        webhooks,
                        deliveries,
                        writer,
                        new OperatorsOfOrg(operators),
                        links,
                        ids,
                        time,
                        steady);
    }

    @AfterEach
    void close() {
        receiver.stop(0);
        database.close();
    }

    @Test
    void ten_approvals_within_a_minute_are_one_message_with_a_link_to_each_card() throws Exception {
        add("c1", Webhook.Kind.SLACK, Set.of("approval"));
        for (int i = 0; i < 10; i++) {
            raise(AlertKind.APPROVAL_WAITING, "approval:A" + i, "mia asks: git push " + i);
            steady.advance(Duration.ofSeconds(5));
            assertThat(notifier.tell()).isZero();
        }
        steady.advance(Duration.ofSeconds(10));
        assertThat(notifier.tell()).isEqualTo(1);
        assertThat(notifier.tell()).isZero();
        assertThat(sender().sendAll()).isEqualTo(1);

        assertThat(received).hasSize(1);
        JsonFields body = Json.fields(received.getFirst());
        assertThat(body.text("text")).isEqualTo("10 approvals wait");
        assertThat(body.list("blocks")).hasSize(10);
        assertThat(received.getFirst())
                .contains("<https://hub.example.org/approvals/A0|Open>")
                .contains("<https://hub.example.org/approvals/A9|Open>");
        DeliveryStore.ToPerson told = latest();
        assertThat(told.message().outcome()).isEqualTo("sent");
        assertThat(told.message().title()).isEqualTo("10 approvals wait");
    }

    @Test
    void a_second_message_comes_a_minute_after_the_first_at_the_earliest() {
        add("c1", Webhook.Kind.BROWSER, Set.of("approval"));
        raise(AlertKind.APPROVAL_WAITING, "approval:A1", "mia asks: ls");
        steady.advance(Duration.ofSeconds(3));
        assertThat(notifier.tell()).isEqualTo(1);
        raise(AlertKind.APPROVAL_WAITING, "approval:A2", "mia asks: ls -l");
        steady.advance(Duration.ofSeconds(50));
        assertThat(notifier.tell()).isZero();
        steady.advance(Duration.ofSeconds(10));
        assertThat(notifier.tell()).isEqualTo(1);
    }

    @Test
    void what_is_over_before_the_message_leaves_is_not_told() {
        add("c1", Webhook.Kind.SLACK, Set.of("host_offline"));
        raise(AlertKind.AGENT_OFFLINE, "host:h1", "Host h1 sends no heartbeats.");
        database.write(
                tx -> {
                    alerts.resolve(
                            tx,
                            ORG,
                            AlertKind.AGENT_OFFLINE,
                            "host:h1",
                            AlertKind.AGENT_ONLINE,
                            "Host h1 is back.");
                    return true;
                });
        steady.advance(Duration.ofMinutes(2));
        assertThat(notifier.tell()).isZero();
        List<DeliveryStore.ToPerson> told =
                database.read(s -> deliveries.latestTo(s, ORG, lena, 10));
        assertThat(told).isEmpty();
    }

    @Test
    void nobody_is_told_what_they_did_not_choose() {
        add("c1", Webhook.Kind.SLACK, Set.of());
        add("c2", Webhook.Kind.SLACK, Set.of("mail"));
        raise(AlertKind.AGENT_OFFLINE, "host:h1", "Host h1 sends no heartbeats.");
        raise(AlertKind.APPROVAL_WAITING, "approval:A1", "mia asks: ls");
        steady.advance(Duration.ofMinutes(2));
        assertThat(notifier.tell()).isZero();
    }

    @Test
    void somebody_who_is_locked_out_is_told_nothing() {
        add("c1", Webhook.Kind.SLACK, Set.of("job_failed"));
        report("job:J1", "Job J1 failed.");
        sql("UPDATE operators SET disabled_at = '2027-01-01T00:00:00.000000Z'");
        steady.advance(Duration.ofMinutes(2));
        assertThat(notifier.tell()).isZero();
        sql("UPDATE operators SET disabled_at = NULL");
        assertThat(notifier.tell()).isZero();
    }

    @Test
    void secrets_and_formats_of_what_comes_from_elsewhere_do_not_reach_a_chat() throws Exception {
        add("c1", Webhook.Kind.SLACK, Set.of("approval"));
        add("c2", Webhook.Kind.DISCORD, Set.of("approval"));
        raise(
                AlertKind.APPROVAL_WAITING,
                "approval:A1",
                "mia asks: echo <!channel> @everyone [click](http://evil) KEY=" + HIDDEN);
        steady.advance(Duration.ofMinutes(1));
        assertThat(notifier.tell()).isEqualTo(2);
        sender().sendAll();

        assertThat(received).hasSize(2).noneMatch(body -> body.contains(HIDDEN));
        String slack =
                received.stream().filter(b -> b.contains("blocks")).findFirst().orElseThrow();
        assertThat(slack).contains("&lt;!channel&gt;").doesNotContain("<!channel>");
        JsonFields embed =
                received.stream()
                        .filter(b -> b.contains("embeds"))
                        .map(b -> Json.fields(b).list("embeds").getFirst())
                        .findFirst()
                        .orElseThrow();
        assertThat(embed.text("description")).contains("\\[click\\]\\(http://evil\\)");
        assertThat(embed.text("url")).isEqualTo("https://hub.example.org/approvals/A1");
    }

    @Test
    void a_flood_stays_within_the_limits_of_each_chat_and_is_counted() throws Exception {
        add("c1", Webhook.Kind.SLACK, Set.of("job_failed"));
        add("c2", Webhook.Kind.DISCORD, Set.of("job_failed"));
        for (int i = 0; i < 300; i++) {
            report("job:J" + i, "x".repeat(5_000));
        }
        steady.advance(Duration.ofMinutes(1));
        assertThat(notifier.tell()).isEqualTo(2);
        sender().sendAll();
        for (String body : received) {
            assertThat(body).contains("300 jobs failed").containsPattern("and 290 more");
        }
        JsonFields discord =
                received.stream()
                        .filter(b -> b.contains("embeds"))
                        .map(Json::fields)
                        .findFirst()
                        .orElseThrow();
        assertThat(discord.list("embeds")).hasSize(10);
        assertThat(
                        discord.list("embeds").stream()
                                .mapToInt(e -> e.text("description").length())
                                .sum())
                .isLessThan(6_000);
    }

    @Test
    void what_a_chat_refuses_is_given_up_in_its_own_words_and_stops_the_channel() throws Exception {
        add("c1", Webhook.Kind.DISCORD, Set.of("job_failed"));
        report("job:J1", "Job J1 failed.");
        steady.advance(Duration.ofMinutes(1));
        notifier.tell();
        status = 404;
        answer = "{\"message\": \"Unknown Webhook\", \"code\": 10015}";
        sender().sendAll();

        assertThat(latest().message().outcome()).isEqualTo("refused");
        assertThat(latest().message().lastError()).contains("404").contains("Unknown Webhook");
        Webhook stopped = database.read(s -> webhooks.channels(s, ORG, lena)).getFirst();
        assertThat(stopped.disabledReason()).contains("Unknown Webhook");
    }

    @Test
    void a_page_that_nobody_opened_in_time_is_said_not_to_have_shown_it() throws Exception {
        add("c1", Webhook.Kind.BROWSER, Set.of("job_failed"));
        report("job:J1", "Job J1 failed.");
        steady.advance(Duration.ofSeconds(3));
        assertThat(notifier.tell()).isEqualTo(1);
        assertThat(sender().sendAll()).isZero();
        assertThat(latest().message().outcome()).isEqualTo("queued");
        steady.advance(Notifier.FOR_PAGES);
        assertThat(sender().sendAll()).isEqualTo(1);
        assertThat(latest().message().outcome()).isEqualTo("given up");
        assertThat(latest().message().lastError()).contains("no page of yours was open");
    }

    @Test
    void the_url_of_a_chat_is_stored_sealed_only() {
        add("c1", Webhook.Kind.SLACK, Set.of());
        String stored =
                database.read(
                        s ->
                                s.first(
                                                "SELECT url, secret FROM webhooks",
                                                row -> row.text("url") + row.text("secret"))
                                        .orElseThrow());
        assertThat(stored).doesNotContain("/hook/of-c1");
    }

    private void raise(AlertKind kind, String subject, String message) {
        database.write(
                tx -> {
                    alerts.raise(tx, ORG, kind, subject, message);
                    return true;
                });
    }

    private void report(String subject, String message) {
        database.write(
                tx -> {
                    alerts.report(tx, ORG, AlertKind.JOB_FAILED, subject, message);
                    return true;
                });
    }

    private void add(String id, Webhook.Kind kind, Set<String> kinds) {
        String url =
                "http://127.0.0.1:%d/hook/of-%s".formatted(receiver.getAddress().getPort(), id);
        database.write(
                tx -> {
                    webhooks.insert(
                            tx,
                            ORG,
                            lena,
                            new Webhook(id, kind, id, "…", kinds, null, time.instant()),
                            secrets.seal(url, Webhook.label(id)));
                    return true;
                });
    }

    private DeliverySender sender() {
        return new DeliverySender(
                database,
                deliveries,
                webhooks,
                secrets,
                new PinnedSocket(new AddressGuard(true)),
                new Random(3),
                time,
                steady);
    }

    private DeliveryStore.ToPerson latest() {
        return database.read(s -> deliveries.latestTo(s, ORG, lena, 1)).getFirst();
    }

    private void sql(String statement) {
        database.write(tx -> tx.update(statement));
    }
}
