package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Whatever an authenticated host sends, it is told what is wrong, and nobody else is disturbed. */
@Timeout(120)
@Isolated("it reads a log, and a process logs to the data dir that was opened last")
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
        fleet().honest.fleetRows.agent("alice");
        Eventually.holds("known", () -> fleet().hub.fleetRows.ids("users").size() == 1);
    }

    @AfterEach
    void othersAreUnaffected() {
        String mail = fleet().honest.fleetRows.mail("all is well");
        Eventually.holds("mail", () -> fleet().hub.fleetRows.ids("mail_messages").contains(mail));
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
        assertThat(fleet().hub.fleetRows.ids("users")).hasSize(1);
    }

    @Test
    void an_id_that_belongs_to_another_is_refused() throws Exception {
        String alice = fleet().hub.fleetRows.ids("users").iterator().next();
        String request = fleet().intruder.connect();
        fleet().intruder.say(response(request, fleet().intruder.id(), alice, ""));
        assertThat(fleet().intruder.next()).contains("ownership_violation");
        assertThat(
                        fleet().hub
                                .fleetRows
                                .number("SELECT count(*) FROM users WHERE username = 'alice'"))
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
                () -> fleet().hub.fleetRows.ids("users").contains("01HYAGENT00000000000000001"));
        assertThat(
                        fleet().hub
                                .fleetRows
                                .number("SELECT count(*) FROM users WHERE org_id = 'default'"))
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

    @Test
    void a_flood_of_bad_rows_is_one_line_in_the_log_for_each_cause() throws Exception {
        String alice = fleet().hub.fleetRows.ids("users").iterator().next();
        int request = Integer.parseInt(number(fleet().intruder.connect()));
        for (int page = 1; page <= 5; page++) {
            fleet().intruder.say(badRows(request++, alice, page));
            assertThat(fleet().intruder.next()).contains("ownership_violation");
            assertThat(fleet().intruder.next()).isEqualTo("a long message");
        }
        Path log = folder.resolve("hub/logs/skep.log");
        List<String> lines =
                Files.readAllLines(log).stream()
                        .filter(line -> line.contains("refused"))
                        .filter(line -> line.contains(fleet().intruder.id()))
                        .toList();
        assertThat(lines).hasSize(3);
        for (String cause : List.of("ownership_violation", "unknown_table", "bad_column")) {
            assertThat(lines).filteredOn(line -> line.contains(cause)).hasSize(1);
        }
    }

    /** Rows of another's, of no table, and with a list where a text belongs. */
    private String badRows(int request, String alice, int page) {
        String own = fleet().intruder.id();
        String stolen = row(own, alice, "\"mallory\"");
        List<String> wrong = new ArrayList<>(List.of(stolen));
        List<String> unknown = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String id = "01HYBADROW%08d%08d".formatted(page, i);
            wrong.add(row(own, id, "[1]"));
            unknown.add(row(own, id, "\"x\""));
        }
        return """
        {"type":"sync_response","req_id":%s,"host_id":"%s","tables":{"users":[%s],"nonsense":[%s]},\
        "upto":"%s","head":"%s","has_more":false,"applied":"0"}"""
                .formatted(
                        request,
                        own,
                        String.join(",", wrong),
                        String.join(",", unknown),
                        70 + page,
                        70 + page);
    }

    private static String row(String host, String id, String username) {
        return """
        {"host_id":"%s","gen":0,"ver":"70","id":"%s","username":%s,"kind":"agent","name_conflict":0,\
        "created_at":"2027-01-01T00:00:00.000000Z","updated_at":"2027-01-01T00:00:00.000000Z"}"""
                .formatted(host, id, username);
    }

    private static String number(String request) {
        Matcher number = REQUEST.matcher(request);
        assertThat(number.find()).as(request).isTrue();
        return number.group(1);
    }

    private String response(String request, String host, String id, String more) {
        return """
        {"type":"sync_response","req_id":%s,"host_id":"%s","tables":{"users":[{"host_id":"%s","gen":0,"ver":"70",\
        "id":"%s","username":"mallory","kind":"agent","name_conflict":0,"created_at":"2027-01-01T00:00:00.000000Z",\
        "updated_at":"2027-01-01T00:00:00.000000Z"%s}]},"upto":"70","head":"70","has_more":false,"applied":"0"}"""
                .formatted(number(request), fleet().intruder.id(), host, id, more);
    }
}
