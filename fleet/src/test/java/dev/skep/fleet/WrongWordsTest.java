package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever an authenticated host sends, it is told what is wrong, and nobody else is disturbed. */
@Timeout(120)
class WrongWordsTest {
    private static final Pattern REQUEST = Pattern.compile("\"req_id\":(\\d+)");

    @TempDir private Path folder = Path.of("");
    private @Nullable Fleet opened;

    /** A hub, an honest runner and the other one. */
    private final class Fleet implements AutoCloseable {
        private final HubNode hub = HubNode.open(folder.resolve("hub"), 0);
        private final RunnerNode honest =
                RunnerNode.open(folder.resolve("honest"), "honest", hub.url);
        private final Intruder intruder = new Intruder(folder.resolve("intruder"), hub);

        @Override
        public void close() {
            intruder.close();
            honest.close();
            hub.close();
        }
    }

    private Fleet fleet() {
        Fleet known = opened;
        if (known == null) {
            known = new Fleet();
            opened = known;
        }
        return known;
    }

    @BeforeEach
    void open() {
        fleet().honest.tables.agent("alice");
        Eventually.holds("known", () -> fleet().hub.tables.ids("users").size() == 1);
    }

    @AfterEach
    void othersAreUnaffected() {
        String mail = fleet().honest.tables.mail("all is well");
        Eventually.holds("mail", () -> fleet().hub.tables.ids("mail_messages").contains(mail));
        fleet().close();
    }

    @Test
    void truncated_json_is_refused() throws Exception {
        fleet().intruder.connect();
        fleet().intruder
                .say("{\"type\":\"sync_response\",\"req_id\":1,\"tables\":{\"users\":[{\"id\"");
        assertThat(fleet().intruder.next()).contains("bad_message");
        assertThat(fleet().intruder.next()).startsWith("closed");
    }

    @Test
    void bytes_that_are_no_page_are_refused() throws Exception {
        fleet().intruder.connect();
        fleet().intruder.say(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 1, 2, 3});
        assertThat(fleet().intruder.next()).contains("frame_too_large");
    }

    @Test
    void a_row_of_another_host_is_refused() throws Exception {
        String request = fleet().intruder.connect();
        fleet().intruder.say(response(request, fleet().honest.id(), "somebody", ""));
        assertThat(fleet().intruder.next()).contains("ownership_violation");
        assertThat(fleet().hub.tables.ids("users")).hasSize(1);
    }

    @Test
    void an_id_that_belongs_to_another_is_refused() throws Exception {
        String alice = fleet().hub.tables.ids("users").iterator().next();
        String request = fleet().intruder.connect();
        fleet().intruder.say(response(request, fleet().intruder.id(), alice, ""));
        assertThat(fleet().intruder.next()).contains("ownership_violation");
        assertThat(fleet().hub.tables.number("SELECT count(*) FROM users WHERE username = 'alice'"))
                .isEqualTo(1);
    }

    @Test
    void a_column_name_with_sql_in_it_is_only_kept() throws Exception {
        String request = fleet().intruder.connect();
        fleet().intruder
                .say(
                        response(
                                request,
                                fleet().intruder.id(),
                                "01HYAGENT00000000000000001",
                                ",\"x) VALUES (1); DROP TABLE users; --\":\"1\",\"org_id\":\"other\""));
        Eventually.holds(
                "stored",
                () -> fleet().hub.tables.ids("users").contains("01HYAGENT00000000000000001"));
        assertThat(fleet().hub.tables.number("SELECT count(*) FROM users WHERE org_id = 'default'"))
                .isEqualTo(2);
    }

    @Test
    void a_flood_ends_the_flooder() throws Exception {
        fleet().intruder.connect();
        String answer = "";
        try {
            for (int i = 0; i < 100_000 && !answer.startsWith("closed"); i++) {
                fleet().intruder.say("{\"type\":\"sync_response\",\"req_id\":77}");
            }
        } catch (RuntimeException hungUp) {
            answer = "closed";
        }
        assertThat(fleet().intruder.next()).contains("bad_message");
    }

    private String response(String request, String host, String id, String more) {
        Matcher number = REQUEST.matcher(request);
        assertThat(number.find()).as(request).isTrue();
        return """
        {"type":"sync_response","req_id":%s,"host_id":"%s","tables":{"users":[{"host_id":"%s","gen":0,"ver":"70",\
        "id":"%s","username":"mallory","kind":"agent","name_conflict":0,"created_at":"2027-01-01T00:00:00.000000Z",\
        "updated_at":"2027-01-01T00:00:00.000000Z"%s}]},"upto":"70","head":"70","has_more":false,"applied":"0"}"""
                .formatted(number.group(1), fleet().intruder.id(), host, id, more);
    }
}
