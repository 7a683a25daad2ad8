package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.Agent;
import dev.skep.agents.mail.Mail;
import dev.skep.agents.mail.Mailbox;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MailBetweenAgentsTest {
    @TempDir Path dir;

    @Test
    void mail_wakes_a_waiting_agent_which_reads_and_answers_it() throws InterruptedException {
        agents("alice", "bob");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "alice",
                                commands(
                                        List.of(
                                                "mail send bob 'Ping' 'Are you there?'",
                                                "mail wait"),
                                        List.of("mail read")))
                        .model(
                                "bob",
                                commands(
                                        List.of("mail wait"),
                                        List.of("mail read", "mail send alice 'Pong' 'Yes.'")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("bob OUTPUT", "Are you there?");
            test.recorder.await("alice OUTPUT", "Subject: Pong");
            test.recorder.await("bob PROMPT", "New mail", "from alice  Ping");
        }
    }

    @Test
    void new_mail_is_told_of_however_much_lies_unread_before_it() throws InterruptedException {
        agents("alice");
        PlayedModels models =
                new PlayedModels()
                        .model("alice", _ -> PlayedModels.answer(List.of("session wait")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            for (int i = 1; i <= 8; i++) {
                test.runner
                        .agentService()
                        .mail(test.host.principal(), List.of("alice"), "Letter " + i, "Hi.");
                test.recorder.await("alice PROMPT", "New mail", "Letter " + i);
            }
        }
    }

    @Test
    void an_unknown_recipient_refuses_all_and_is_named() throws InterruptedException {
        agents("alice", "bob");
        PlayedModels models =
                new PlayedModels()
                        .model("alice", commands(List.of("mail send bob,carol Hi 'All of you'")))
                        .model("bob", commands());
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice OUTPUT: error: nothing was sent: there is no agent 'carol'");
            assertThat(test.runner.stores().mailboxes().ofOrg(test.host.principal(), 10)).isEmpty();
        }
    }

    @Test
    void a_removed_agent_is_neither_mailed_nor_started_and_keeps_its_history()
            throws InterruptedException {
        agents("alice", "bob");
        PlayedModels models =
                new PlayedModels()
                        .model("alice", commands(List.of("mail send bob One 'first'")))
                        .model("bob", commands(List.of("echo I was here")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            AgentService agentService = test.runner.agentService();
            test.recorder.await("bob is WAITING");
            test.recorder.await("alice OUTPUT: Sent");
            assertThat(agentService.remove("bob")).isInstanceOf(ActionResult.Done.class);
            test.recorder.await("bob is STOPPED");
            assertThat(
                            agentService
                                    .mail(test.host.principal(), List.of("bob"), "Two", "second")
                                    .message())
                    .contains("'bob' was removed and cannot be mailed");
            assertThat(agentService.start("bob", null).message()).contains("was removed");
            assertThat(test.log("bob")).contains("OUTPUT: I was here");
            assertThat(mail(test, "bob")).extracting(Mail::subject).containsExactly("One");
            assertThat(agentService.restore("bob")).isInstanceOf(ActionResult.Done.class);
            assertThat(agentService.mail(test.host.principal(), List.of("bob"), "Two", "second"))
                    .isInstanceOf(ActionResult.Done.class);
        }
    }

    @Test
    void a_completed_agent_is_started_again_by_mail() throws InterruptedException {
        agents("alice");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "alice",
                                request ->
                                        PlayedModels.answer(
                                                List.of(
                                                        PlayedModels.sight(request)
                                                                        .contains("New mail")
                                                                ? "mail read"
                                                                : "session complete 'all done'")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is STOPPED: complete: all done");
            test.runner
                    .agentService()
                    .mail(test.host.principal(), List.of("alice"), "More", "work");
            test.recorder.await("alice OUTPUT", "Subject: More");
        }
    }

    @Test
    void mail_lists_search_archive_and_here_documents_work() throws InterruptedException {
        agents("alice");
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "alice",
                                commands(
                                        List.of(
                                                "mail send alice 'To myself' <<END\nline one\nline 'two'\nEND",
                                                "mail outbox",
                                                "mail inbox"),
                                        List.of("mail search TWO", "mail read"),
                                        List.of(
                                                "mail archive nonsense",
                                                "mail read 'no such'",
                                                "mail send",
                                                "mail inbox | cat")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            String log = String.join("\n", test.log("alice"));
            assertThat(log)
                    .contains("Outbox:", "Inbox:", "Found:", "line one\nline 'two'")
                    .contains("you have no mail nonsense", "you have no mail 'no such'")
                    .contains("send needs names, a subject and a body")
                    .contains("cannot be combined with '|'");
        }
    }

    @Test
    void a_lead_starts_peeks_at_and_stops_its_subordinates_only() throws InterruptedException {
        TestRunner.agent(dir, "lead", file("lead"));
        TestRunner.agent(dir, "lead/worker", file("worker") + "auto_start: false\n");
        TestRunner.agent(dir, "other", file("other"));
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "lead",
                                request ->
                                        PlayedModels.answer(
                                                switch (PlayedModels.replies(request)) {
                                                    case 0 ->
                                                            List.of(
                                                                    "agent start worker 'count to three'",
                                                                    "agent stop other",
                                                                    "agent list");
                                                    case 1 -> List.of("mail wait");
                                                    case 2 ->
                                                            List.of(
                                                                    "agent peek worker",
                                                                    "agent stop worker");
                                                    default -> List.of("session wait");
                                                }))
                        .model(
                                "worker",
                                commands(List.of("echo 1 2 3", "mail send lead Done three")))
                        .model("other", commands());
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("worker TALK", "count to three");
            test.recorder.await("lead OUTPUT: worker is stopped");
            test.recorder.await("worker is STOPPED: stopped by lead");
            assertThat(String.join("\n", test.log("lead")))
                    .contains(
                            "other is not a subordinate of yours",
                            "$ echo 1 2 3",
                            "(your subordinate)");
        }
    }

    private void agents(String... names) {
        for (String name : names) {
            TestRunner.agent(dir, name, file(name));
        }
    }

    private static String file(String name) {
        return "prompt: You are ${agent.username}.\nmodel: %s\n".formatted(name);
    }

    private static List<Mail> mail(TestRunner test, String name) {
        Agent agent =
                test.runner.stores().agents().onThisHost().stream()
                        .filter(a -> a.username().equals(name))
                        .findFirst()
                        .orElseThrow();
        return test.runner
                .stores()
                .mailboxes()
                .inbox(Mailbox.open(test.host.principal(), agent.id()), 10);
    }
}
