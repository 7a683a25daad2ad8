package dev.skep.runner.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.mail.MailDraft;
import dev.skep.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsingToolsTest {
    @TempDir Path dir;
    private ToolsFixture fixture;
    private McpClient alice;
    private McpClient bob;

    @BeforeEach
    void start() {
        fixture = new ToolsFixture(dir);
        alice = fixture.client("alice");
        bob = fixture.client("bob");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void mail_goes_from_agent_to_agent_and_each_reads_only_its_own() {
        String sent =
                alice.call(
                        "mail_send",
                        Map.of("to", "bob", "subject", "--cc is no option", "body", "See you."));
        assertThat(sent).startsWith("Sent ").endsWith(" to bob.");
        String id = sent.split(" ", -1)[1];

        assertThat(bob.call("mail_list", Map.of("box", "unread")))
                .contains("* " + id)
                .contains("from alice  --cc is no option");
        assertThat(bob.call("mail_read", Map.of("id", id))).contains("From: alice", "See you.");
        assertThat(bob.call("mail_list", Map.of())).contains("  " + id).doesNotContain("* " + id);
        assertThat(bob.call("mail_search", Map.of("text", "see YOU"))).contains(id);

        String letter = inboxId(bob, "Hello");
        assertThat(alice.call("mail_read", Map.of("id", letter)))
                .isEqualTo("failed: You have no mail '%s'; mail_list shows ids.".formatted(letter));
        assertThat(alice.call("mail_search", Map.of("text", "Hi bob")))
                .isEqualTo("Found: nothing.");
        assertThat(alice.call("mail_list", Map.of())).isEqualTo("Inbox: nothing.");
    }

    @Test
    void nothing_is_sent_if_one_name_is_unknown() {
        assertThat(alice.call("mail_send", Map.of("to", "bob, carol", "subject", "s", "body", "b")))
                .startsWith("failed: Nothing was sent: there is no agent 'carol'");
        assertThat(alice.call("mail_list", Map.of("box", "outbox"))).isEqualTo("Outbox: nothing.");
    }

    @Test
    void a_secret_of_the_runner_leaves_neither_in_mail_nor_in_answers() {
        alice.call(
                "mail_send",
                Map.of("to", "bob", "subject", "key", "body", "It is " + ToolsFixture.SECRET));
        String id = inboxId(bob, "key");
        assertThat(bob.call("mail_read", Map.of("id", id))).doesNotContain(ToolsFixture.SECRET);
        assertThat(bob.call("mail_read", Map.of("id", ToolsFixture.SECRET)))
                .doesNotContain(ToolsFixture.SECRET);
    }

    @Test
    void whoever_waits_is_woken_by_mail() throws Exception {
        CompletableFuture<HttpResponse<String>> waiting =
                alice.begin(call(1, "mail_wait", Map.of("wait_seconds", 15)));
        bob.call("mail_send", Map.of("to", "alice", "subject", "Wake up", "body", "Now."));
        assertThat(waiting.get().body()).contains("from bob  Wake up");
    }

    @Test
    void a_wait_is_over_when_its_time_is() {
        assertThat(alice.call("mail_wait", Map.of("wait_seconds", 0)))
                .isEqualTo("No mail came yet.");
    }

    @Test
    void an_agent_is_asked_by_mail_and_its_answer_comes_back() throws Exception {
        CompletableFuture<HttpResponse<String>> asked =
                alice.begin(
                        call(1, "agent_ask", Map.of("agent", "bob", "question", "Is it green?")));
        String question =
                Eventually.present(
                        "the question",
                        () ->
                                Optional.of(idOf(bob, "Question: Is it green?"))
                                        .filter(id -> !id.isEmpty()));
        // Something else from somebody else, and something older, are no answers.
        fixture.test
                .runner
                .agentService()
                .mail(fixture.test.host.principal(), List.of("alice"), "By the way", "No answer.");
        bob.call(
                "mail_send",
                Map.of("to", "alice", "subject", "Re", "body", "Yes.", "reply_to", question));
        assertThat(asked.get().body()).contains("bob answers:\\n\\nYes.");
        assertThat(alice.call("mail_list", Map.of("box", "unread")))
                .contains("By the way")
                .doesNotContain("Re");
    }

    @Test
    void whoever_does_not_answer_in_time_answers_by_mail() {
        assertThat(
                        alice.call(
                                "agent_ask",
                                Map.of("agent", "bob", "question", "Well?", "wait_seconds", 0)))
                .startsWith("Nobody answered yet. You will be told by mail");
        assertThat(alice.call("agent_ask", Map.of("agent", "alice", "question", "Well?")))
                .startsWith("failed: That is you.");
        assertThat(alice.call("agent_ask", Map.of("agent", "zoe", "question", "Well?")))
                .startsWith("failed: Nothing was sent: there is no agent 'zoe'");
    }

    @Test
    void people_are_asked_by_mail_and_need_not_say_what_they_answer() throws Exception {
        CompletableFuture<HttpResponse<String>> asked =
                alice.begin(call(1, "ask_person", Map.of("question", "May I\nrelease it?")));
        Eventually.holds(
                "the question is there",
                () ->
                        fixture
                                .test
                                .runner
                                .stores()
                                .mailboxes()
                                .ofOrg(fixture.test.host.principal(), 10)
                                .stream()
                                .anyMatch(mail -> mail.subject().equals("Question: May I")));
        fixture.test
                .runner
                .agentService()
                .mail(fixture.test.host.principal(), List.of("alice"), "Re", "Tomorrow.");
        assertThat(asked.get().body()).contains(" answers:\\n\\nTomorrow.");
    }

    @Test
    void the_others_the_money_and_the_end_of_the_session() {
        assertThat(alice.call("agents_list", Map.of()).lines())
                .anyMatch(line -> line.contains("alice") && line.endsWith("(you)"))
                .anyMatch(line -> line.contains("bob"))
                .anyMatch(line -> line.contains(fixture.operator.username()));
        assertThat(alice.call("cost", Map.of())).isEqualTo("No spend limit.");
        fixture.limit("alice", "2.50");
        assertThat(alice.call("cost", Map.of())).isEqualTo("Left: $2.50");
        assertThat(bob.call("cost", Map.of())).isEqualTo("No spend limit.");
        alice.call("session_note", Map.of("note", "half way"));
        alice.call("session_complete", Map.of("note", "all done"));
        assertThat(fixture.effects)
                .containsExactly("alice noted: half way", "alice completed: all done");
    }

    @Test
    void thirty_two_calls_at_once_are_all_answered() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> all =
                IntStream.range(0, 32)
                        .mapToObj(
                                i -> alice.begin(call(i, "mail_wait", Map.of("wait_seconds", 15))))
                        .toList();
        fixture.test
                .runner
                .stores()
                .mail()
                .send(
                        fixture.principal(fixture.agent("bob")),
                        MailDraft.to(fixture.agent("bob").id(), List.of("alice"), "To all", "b"));
        for (int i = 0; i < 32; i++) {
            assertThat(all.get(i).get().body()).contains("\"id\":" + i + ",", "from bob  To all");
        }
    }

    static String call(Object id, String tool, Map<String, ?> arguments) {
        return McpClient.message(id, "tools/call", Map.of("name", tool, "arguments", arguments));
    }

    private static String inboxId(McpClient client, String subject) {
        String id = idOf(client, subject);
        assertThat(id).as(subject).isNotEmpty();
        return id;
    }

    private static String idOf(McpClient client, String subject) {
        return client.call("mail_list", Map.of())
                .lines()
                .filter(line -> line.endsWith(subject))
                .map(line -> line.substring(2).split(" ", 2)[0])
                .findFirst()
                .orElse("");
    }
}
