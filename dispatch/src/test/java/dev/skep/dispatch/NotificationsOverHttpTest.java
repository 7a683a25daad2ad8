package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person can say over HTTP about what tells them. */
class NotificationsOverHttpTest {
    private static final String ME = "viewer:" + DispatchTestHub.ORG;
    private static final String ADMIN = "operator:" + DispatchTestHub.ORG;
    private static final String BASE = "/api/orgs/" + DispatchTestHub.ORG + "/notifications";
    private static final String SERVER = "/api/orgs/" + DispatchTestHub.ORG + "/mail-server";

    @TempDir Path folder;
    private DispatchTestHub hub;
    private HttpServer receiver;
    private volatile int status = 200;

    @BeforeEach
    void open() throws IOException {
        hub = new DispatchTestHub(folder);
        operator("op", "lena");
        operator("op2", "jonas");
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        receiver.start();
    }

    @AfterEach
    void close() {
        receiver.stop(0);
        hub.close();
    }

    private void operator(String id, String name) {
        hub.database.write(
                tx ->
                        tx.update(
                                """
                                INSERT INTO operators
                                    (id, org_id, username, role, created_at, updated_at)
                                VALUES (?, ?, ?, 'VIEWER', '2027-01-01T00:00:00.000000Z', '')""",
                                id,
                                DispatchTestHub.ORG,
                                name));
    }

    private String receiverUrl() {
        return "http://127.0.0.1:%d/services/T0/B0/hidden"
                .formatted(receiver.getAddress().getPort());
    }

    private DispatchTestHub.Answer add(String kind, String to) {
        return hub.post(ME, BASE + "/channels", Map.of("kind", kind, "name", "mine", "to", to));
    }

    @Test
    void nothing_tells_a_person_who_chose_nothing() {
        JsonFields mine = hub.get(ME, BASE).fields();
        assertThat(mine.text("operator")).isEqualTo("lena");
        assertThat(mine.list("channels")).isEmpty();
        assertThat(mine.list("kinds"))
                .extracting(kind -> kind.text("kind"))
                .containsExactly(
                        "approval",
                        "agent_failed",
                        "agent_repeats",
                        "over_budget",
                        "mail",
                        "host_offline",
                        "job_failed");
    }

    @Test
    void a_new_channel_tells_the_usual_kinds_until_others_are_chosen() {
        DispatchTestHub.Answer added = add("slack", receiverUrl());
        assertThat(added.status()).isEqualTo(201);
        JsonFields channel = added.fields().object("channel").orElseThrow();
        assertThat(channel.textList("kinds"))
                .containsExactly(
                        "approval", "agent_failed", "agent_repeats", "over_budget", "mail");
        String path = BASE + "/channels/" + channel.text("id");
        DispatchTestHub.Answer changed =
                hub.call("PATCH", ME, path, Map.of("kinds", List.of("job_failed")));
        assertThat(changed.fields().textList("kinds")).containsExactly("job_failed");
        assertThat(hub.call("PATCH", ME, path, Map.of("kinds", List.of("nonsense"))).status())
                .isEqualTo(400);
        assertThat(hub.audited).contains("channel_added", "channel_changed");
    }

    @Test
    void a_url_that_is_a_secret_is_never_shown_again_and_a_signing_secret_once() {
        add("slack", receiverUrl());
        DispatchTestHub.Answer signed = add("generic", receiverUrl());
        assertThat(signed.fields().text("secret")).startsWith("whsec_");
        String listed = hub.get(ME, BASE).body();
        assertThat(listed).doesNotContain(signed.fields().text("secret"));
        assertThat(listed).contains("127.0.0.1");
        assertThat(hub.get(ME, BASE).fields().list("channels").getFirst().text("to"))
                .doesNotContain("hidden");
    }

    @Test
    void a_test_answers_with_what_the_other_side_said() {
        String id = add("slack", receiverUrl()).fields().object("channel").orElseThrow().text("id");
        String test = BASE + "/channels/" + id + "/test";
        JsonFields fared = hub.post(ME, test, Map.of()).fields();
        assertThat(fared.text("outcome")).isEqualTo("sent");
        status = 503;
        fared = hub.post(ME, test, Map.of()).fields();
        assertThat(fared.text("outcome")).isEqualTo("refused, trying again");
        assertThat(fared.text("lastError")).isEqualTo("answered 503");
        status = 403;
        assertThat(hub.post(ME, test, Map.of()).fields().text("outcome")).isEqualTo("refused");
        assertThat(hub.get(ME, BASE).fields().list("channels").getFirst().text("disabledReason"))
                .contains("403");
    }

    @Test
    void the_test_of_a_browser_waits_until_a_page_showed_it() {
        String id = add("browser", "").fields().object("channel").orElseThrow().text("id");
        CompletableFuture<JsonFields> fared =
                CompletableFuture.supplyAsync(
                        () -> hub.post(ME, BASE + "/channels/" + id + "/test", Map.of()).fields());
        List<JsonFields> messages = hub.get(ME, BASE + "/new?wait=20").fields().list("messages");
        assertThat(messages).hasSize(1);
        String message = messages.getFirst().text("id");
        assertThat(hub.post(ME, BASE + "/shown", Map.of("id", message)).status()).isEqualTo(204);
        assertThat(fared.join().text("outcome")).isEqualTo("sent");
        assertThat(add("browser", "").code()).isEqualTo("conflict");
    }

    @Test
    void nobody_sees_or_changes_what_tells_another_except_an_admin() {
        String id = add("slack", receiverUrl()).fields().object("channel").orElseThrow().text("id");
        assertThat(hub.get(ME, BASE + "?operator=jonas").status()).isEqualTo(403);
        assertThat(hub.get(ADMIN, BASE + "?operator=jonas").fields().text("operator"))
                .isEqualTo("jonas");
        assertThat(
                        hub.call(
                                        "DELETE",
                                        ADMIN,
                                        BASE + "/channels/" + id + "?operator=jonas",
                                        null)
                                .status())
                .isEqualTo(404);
        assertThat(hub.get(ME, BASE + "/deliveries?of=everybody").status()).isEqualTo(403);
        hub.post(ME, BASE + "/channels/" + id + "/test", Map.of());
        JsonFields seen =
                hub.get(ADMIN, BASE + "/deliveries?of=everybody")
                        .fields()
                        .list("deliveries")
                        .getFirst();
        assertThat(seen.text("operator")).isEqualTo("lena");
        assertThat(seen.shown("title")).isEmpty();
        assertThat(hub.get(ME, "/api/orgs/" + DispatchTestHub.ORG + "/webhooks").status())
                .isEqualTo(403);
        assertThat(
                        hub.get(ADMIN, "/api/orgs/" + DispatchTestHub.ORG + "/webhooks")
                                .fields()
                                .list("webhooks"))
                .isEmpty();
    }

    @Test
    void a_mail_server_keeps_its_password_to_itself_and_gives_it_to_no_other_server() {
        Map<String, Object> server =
                Map.of(
                        "host",
                        "mail.example.org",
                        "user",
                        "skep",
                        "password",
                        "the-word-of-the-server",
                        "sender",
                        "skep@example.org");
        assertThat(hub.call("PUT", ME, SERVER, server).status()).isEqualTo(403);
        DispatchTestHub.Answer set = hub.call("PUT", ADMIN, SERVER, server);
        assertThat(set.fields().object("server").orElseThrow().number("port")).isEqualTo(465);
        assertThat(set.body() + hub.get(ADMIN, SERVER).body()).doesNotContain("the-word");
        assertThat(stored()).doesNotContain("the-word").isNotEmpty();
        hub.call(
                "PUT",
                ADMIN,
                SERVER,
                Map.of("host", "mail.example.org", "user", "skep", "sender", "s@example.org"));
        assertThat(stored()).isNotEmpty();
        hub.call(
                "PUT",
                ADMIN,
                SERVER,
                Map.of("host", "evil.example.org", "user", "skep", "sender", "s@example.org"));
        assertThat(stored()).isEmpty();
        assertThat(hub.call("DELETE", ADMIN, SERVER, null).status()).isEqualTo(204);
        assertThat(hub.call("DELETE", ADMIN, SERVER, null).status()).isEqualTo(404);
        assertThat(hub.get(ADMIN, SERVER).body()).isEqualTo("{}");
    }

    private String stored() {
        return hub.database.read(
                s ->
                        s.first(
                                        "SELECT coalesce(password, '') AS p FROM mail_servers",
                                        row -> row.text("p"))
                                .orElse(""));
    }

    @Test
    void addresses_that_no_message_can_go_to_are_refused_before_anything_is_stored() {
        for (String bad : List.of("lena", "a@b\r\nRCPT TO:<x@y>", "a b@c.org", "<a@b.org>")) {
            assertThat(add("email", bad).status()).as(bad).isEqualTo(400);
        }
        for (String bad : List.of("ftp://x/y", "https://user:pw@x/y", "no url")) {
            assertThat(add("slack", bad).status()).as(bad).isEqualTo(400);
        }
        assertThat(hub.get(ME, BASE).fields().list("channels")).isEmpty();
    }

    @Test
    void a_channel_cannot_be_used_to_flood_somebody_with_tests() {
        String id = add("slack", receiverUrl()).fields().object("channel").orElseThrow().text("id");
        String test = BASE + "/channels/" + id + "/test";
        for (int i = 0; i < 6; i++) {
            assertThat(hub.post(ME, test, Map.of()).status()).isEqualTo(200);
        }
        assertThat(hub.post(ME, test, Map.of()).code()).isEqualTo("too_many_requests");
    }
}
