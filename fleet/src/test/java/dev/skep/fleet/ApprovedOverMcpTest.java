package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Commands of an agent that wait for a yes, and MCP clients that want to give it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApprovedOverMcpTest {
    private final AgentsToOpen agents = new AgentsToOpen();
    private int asked;

    @BeforeAll
    void open(@TempDir Path data) throws Exception {
        agents.open(data);
    }

    @AfterAll
    void close() {
        agents.close();
    }

    private HttpVisitor operator() {
        return HttpVisitor.withKey(agents.url(), agents.key());
    }

    /** Has mara want to run {@code seq 1 N}, which needs a yes; the approval's id. */
    private String wants() throws Exception {
        int number = ++asked;
        JsonFields mara = mara();
        operator()
                .post(
                        "/api/orgs/default/agents/%s/talk".formatted(mara.shown("id")),
                        Map.of("text", "count to " + number));
        String command = "seq 1 " + number;
        Eventually.holds("mara waits for a yes", () -> waiting(command).isPresent());
        return waiting(command).orElseThrow().shown("id");
    }

    private JsonFields mara() throws Exception {
        return rows("agents").stream()
                .filter(agent -> agent.shown("username").equals("mara"))
                .findFirst()
                .orElseThrow();
    }

    private List<JsonFields> rows(String topic) throws Exception {
        return Json.fields(operator().get("/api/orgs/default/view/" + topic).body()).list("rows");
    }

    private Optional<JsonFields> waiting(String command) throws Exception {
        return rows("approvals").stream()
                .filter(card -> card.shown("decision").equals("pending"))
                .filter(card -> card.shown("command").equals(command))
                .findFirst();
    }

    private String decision(String approval) throws Exception {
        String path = "/api/orgs/default/view/approvals/" + approval;
        return Json.fields(operator().get(path).body()).shown("decision");
    }

    @Test
    void a_yes_is_given_after_a_person_saw_the_command_and_said_so(@TempDir Path scratch)
            throws Exception {
        StockMcpClient client = client(scratch);
        String approval = wants();
        String command = "seq 1 " + asked;

        JsonFields no =
                client.decide("2", agents.url(), agents.key(), approval, "approve", "decline");
        assertThat(no.shown("command")).isEqualTo(command);
        assertThat(no.textList("questions"))
                .singleElement()
                .asString()
                .contains("mara", "once", command);
        assertThat(error(no)).contains("a person said no").endsWith("[forbidden]");
        assertThat(decision(approval)).isEqualTo("pending");

        JsonFields yes =
                client.decide("2", agents.url(), agents.key(), approval, "approve", "accept");
        assertThat(yes.textList("questions")).hasSize(1);
        assertThat(yes.object("result").orElseThrow().shown("outcome")).isIn("done", "queued");
        Eventually.holds("it is approved", () -> decision(approval).equals("approved"));
    }

    @Test
    void a_client_that_cannot_ask_a_person_may_only_say_no(@TempDir Path scratch) throws Exception {
        StockMcpClient client = client(scratch);
        String approval = wants();

        JsonFields unable = client.decide("2", agents.url(), agents.key(), approval, "approve", "");
        assertThat(unable.object("result").orElseThrow().number("code")).isEqualTo(-32_021);
        JsonFields before = client.decide("1", agents.url(), agents.key(), approval, "always", "");
        assertThat(error(before)).contains("needs a person's yes").endsWith("[forbidden]");
        assertThat(decision(approval)).isEqualTo("pending");

        JsonFields no = client.decide("1", agents.url(), agents.key(), approval, "deny", "");
        assertThat(no.object("result").orElseThrow().shown("outcome")).isIn("done", "queued");
        Eventually.holds("it is denied", () -> decision(approval).equals("denied"));
    }

    @Test
    void an_agents_key_never_decides_and_is_not_even_asked() throws Exception {
        String approval = wants();
        String key =
                HttpVisitor.local(agents.url(), Path.of(agents.dataDir()))
                        .post(
                                "/api/orgs/default/keys",
                                Map.of("kind", "agent", "agentId", mara().shown("id")))
                        .text("secret");
        for (String decision : List.of("approve", "always", "deny")) {
            JsonFields answer =
                    new StatelessMcpVisitor(agents.url(), key)
                            .answered("yes", "accept", "x")
                            .call(
                                    "decide_approval",
                                    Map.of("approval", approval, "decision", decision));
            assertThat(answer.flag("isError")).isTrue();
            assertThat(answer.list("content").getFirst().shown("text")).endsWith("[forbidden]");
        }
        assertThat(decision(approval)).isEqualTo("pending");
        new StatelessMcpVisitor(agents.url(), agents.key())
                .call("decide_approval", Map.of("approval", approval, "decision", "deny"));
        Eventually.holds("it is denied", () -> decision(approval).equals("denied"));
    }

    @Test
    void a_yes_counts_for_the_call_and_caller_it_was_asked_of_only() throws Exception {
        String first = wants();
        HttpVisitor local = HttpVisitor.local(agents.url(), Path.of(agents.dataDir()));
        local.post("/api/orgs/default/operators", Map.of("username", "eva", "role", "operator"));
        String eva =
                local.post(
                                "/api/orgs/default/keys",
                                Map.of("kind", "api", "label", "eva", "operator", "eva"))
                        .text("secret");
        Map<String, String> once = Map.of("approval", first, "decision", "approve");
        var ed = new StatelessMcpVisitor(agents.url(), agents.key());
        String state = ed.call("decide_approval", once).text("requestState");

        Map<String, String> always = Map.of("approval", first, "decision", "always");
        for (JsonFields answer :
                List.of(
                        ed.answered("yes", "accept", state).call("decide_approval", always),
                        ed.answered("yes", "accept", state + "x").call("decide_approval", once),
                        ed.answered("yes", "accept", "").call("decide_approval", once),
                        ed.answered("no", "accept", state).call("decide_approval", once),
                        new StatelessMcpVisitor(agents.url(), eva)
                                .answered("yes", "accept", state)
                                .call("decide_approval", once))) {
            assertThat(answer.shown("resultType")).isEqualTo("input_required");
        }
        assertThat(decision(first)).isEqualTo("pending");
        JsonFields done = ed.answered("yes", "accept", state).call("decide_approval", once);
        assertThat(done.flag("isError")).isFalse();
        Eventually.holds("it is approved", () -> decision(first).equals("approved"));
    }

    private static StockMcpClient client(Path scratch) throws Exception {
        Optional<StockMcpClient> stock = StockMcpClient.installed(scratch);
        Assumptions.assumeTrue(stock.isPresent(), StockMcpClient.HOW_TO_INSTALL);
        return stock.get();
    }

    private static String error(JsonFields printed) {
        return printed.object("result").orElseThrow().shown("error");
    }
}
