package dev.skep.runner;

import static dev.skep.runner.PlayedModels.commands;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.agents.AgentStatus;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import dev.skep.runner.hold.AgentHold;
import dev.skep.testkit.Eventually;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All agents of a host are stopped at once, and let go again. */
class StandingStillTest {
    private static final String PLAIN = "prompt: You are ${agent.username}.\nmodel: m\n";
    private static final String HUB = "https://hub.example";

    @TempDir Path dir;

    private static void hold(TestRunner test, String id) {
        test.runner
                .holds()
                .hold(new AgentHold(HUB, id, "operator mia", "fire", Instant.now(), false));
    }

    private static Actor owner(TestRunner test) {
        return Actor.local(test.host.org());
    }

    @Test
    void no_model_or_command_begins_until_all_are_let_go_and_then_all_go_on()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        Semaphore answers = new Semaphore(0);
        AtomicInteger asked = new AtomicInteger();
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                request -> {
                                    asked.incrementAndGet();
                                    answers.acquire();
                                    return PlayedModels.answer(
                                            List.of("echo turn-" + PlayedModels.replies(request)));
                                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            Eventually.holds("the model is asked", () -> asked.get() == 1);
            hold(test, "one");
            // The answer that was under way is kept, and what it asks for does not begin.
            answers.release(10);
            test.recorder.await("alice is HELD", "operator mia", HUB, "fire");
            assertThat(test.log("alice")).contains("COMMAND: echo turn-0");
            assertThat(test.log("alice")).doesNotContain("OUTPUT: turn-0");
            assertThat(asked).hasValue(1);
            test.runner.holds().release(HUB, "one");
            test.recorder.await("alice OUTPUT: turn-0");
            test.recorder.await("alice OUTPUT: turn-1");
        }
    }

    @Test
    void each_goes_back_to_what_it_was() throws InterruptedException {
        for (String name : List.of("paused", "stopped", "waiting")) {
            TestRunner.agent(dir, name, PLAIN);
        }
        PlayedModels models =
                new PlayedModels().model("m", _ -> PlayedModels.answer(List.of("session wait")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            for (String name : List.of("paused", "stopped", "waiting")) {
                test.recorder.await(name + " is WAITING");
            }
            test.runner.agentService().pause("paused");
            test.recorder.await("paused is PAUSED");
            test.runner.agentService().stop(test.host.principal(), "stopped");
            test.recorder.await("stopped is STOPPED");
            hold(test, "one");
            test.recorder.await("waiting is HELD");
            test.runner.holds().release(HUB, "one");
            test.recorder.await(2, "waiting is WAITING");
            assertThat(status(test, "paused")).isEqualTo(AgentStatus.PAUSED);
            assertThat(status(test, "stopped")).isEqualTo(AgentStatus.STOPPED);
        }
    }

    private static AgentStatus status(TestRunner test, String name) {
        return test.runner.status(ManagedFixture.id(test, name));
    }

    @Test
    void what_is_under_way_ends_after_a_while_and_its_agent_goes_on_where_it_was()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models =
                new PlayedModels()
                        .model("m", commands(List.of("echo up; sleep 600"), List.of("echo free")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("COMMAND: echo up");
            hold(test, "one");
            test.recorder.await("alice is HELD");
            Eventually.holds("its run ends", () -> status(test, "alice") == AgentStatus.STOPPED);
            assertThat(children()).noneMatch(line -> line.contains("sleep 600"));
            test.runner.holds().release(HUB, "one");
            test.recorder.await("alice OUTPUT: free");
            assertThat(test.log("alice"))
                    .contains(
                            "OUTPUT: [the runner stopped here; this command may or may not have run]");
        }
    }

    private static List<String> children() {
        return ProcessHandle.current()
                .descendants()
                .map(each -> each.info().commandLine().orElse(""))
                .toList();
    }

    @Test
    void a_restart_lifts_nothing_and_what_a_person_lifted_here_does_not_come_back()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models =
                new PlayedModels().model("m", _ -> PlayedModels.answer(List.of("session wait")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            hold(test, "one");
            test.recorder.await("alice is HELD");
        }
        int asked = models.requests.size();
        try (TestRunner test = TestRunner.start(dir, models)) {
            assertThat(test.runner.waitsFor())
                    .hasValueSatisfying(
                            why -> assertThat(why).contains("operator mia", "stop-all --undo"));
            assertThat(test.runner.agentService().start("alice", null).message())
                    .contains("stop-all --undo");
            assertThat(models.requests).hasSize(asked);
            assertThat(test.runner.agentService().liftAll(owner(test)).message()).contains("go on");
            Eventually.holds(
                    "it runs again",
                    () ->
                            test.runner.agentService().talk("alice", "hello")
                                    instanceof ActionResult.Done);
            test.recorder.await("alice TALK", "hello");
            // The hub says the same again, as it does with every new link.
            hold(test, "one");
            assertThat(test.runner.holds().inForce()).isEmpty();
            hold(test, "two");
            assertThat(test.runner.holds().inForce()).hasSize(1);
        }
    }

    @Test
    void each_hub_lifts_its_own_only() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        PlayedModels models =
                new PlayedModels().model("m", _ -> PlayedModels.answer(List.of("session wait")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is WAITING");
            hold(test, "one");
            test.runner.agentService().stopAll(owner(test), "the owner", "");
            test.runner.holds().release(HUB, "one");
            test.runner.holds().release("https://other.example", "one");
            assertThat(test.runner.holds().why())
                    .hasValueSatisfying(why -> assertThat(why).contains("the owner"));
            test.runner.agentService().liftAll(owner(test));
            test.recorder.await(2, "alice is WAITING");
        }
    }

    @Test
    void mail_wakes_nobody_until_all_are_let_go() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "wake_on_mail: true\n");
        PlayedModels models =
                new PlayedModels()
                        .model("m", _ -> PlayedModels.answer(List.of("session complete \"done\"")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is STOPPED");
            int asked = models.requests.size();
            hold(test, "one");
            test.runner.agentService().mail(test.host.principal(), List.of("alice"), "Hi", "there");
            test.runner.lookForMail();
            assertThat(test.runner.agentService().start("alice", null))
                    .isInstanceOf(ActionResult.Refused.class);
            assertThat(models.requests).hasSize(asked);
            test.runner.holds().release(HUB, "one");
            test.recorder.await("alice PROMPT", "New mail");
        }
    }

    @Test
    void a_command_that_is_approved_meanwhile_runs_when_all_are_let_go()
            throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN + "protection: manual\n");
        PlayedModels models = new PlayedModels().model("m", commands(List.of("expr 40 + 2")));
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is AWAITING_APPROVAL: expr 40 + 2");
            hold(test, "one");
            // Its run ends after a while, and its wish to run this stays.
            Eventually.holds("its run ends", () -> status(test, "alice") == AgentStatus.STOPPED);
            String id = test.runner.agentService().waiting(test.host.principal()).getFirst();
            test.runner
                    .agentService()
                    .decide(
                            Decider.here(owner(test)),
                            new ApprovalId(id),
                            ApprovalChoice.ONCE,
                            null);
            assertThat(test.log("alice")).doesNotContain("OUTPUT: 42");
            test.runner.holds().release(HUB, "one");
            test.recorder.await("alice OUTPUT: 42");
        }
    }

    @Test
    void the_program_of_a_managed_agent_ends_at_once_and_its_session_goes_on()
            throws InterruptedException {
        ManagedFixture.runtime(dir, "fixture");
        ManagedFixture.agent(dir, "dora", "Hello.\n!say one\n!sleep 60000\n!say two", "");
        try (TestRunner test = TestRunner.start(dir, new PlayedModels())) {
            test.recorder.await("dora PROMPT");
            Eventually.holds("it starts", () -> !ManagedFixture.processes(dir).isEmpty());
            hold(test, "one");
            test.recorder.await("dora is HELD");
            Eventually.holds("it ends", () -> ManagedFixture.processes(dir).isEmpty());
            test.runner.holds().release(HUB, "one");
            test.recorder.await(2, "dora PROMPT");
        }
    }

    @Test
    void an_agent_that_stands_still_can_be_stopped_for_good() throws InterruptedException {
        TestRunner.agent(dir, "alice", PLAIN);
        CountDownLatch never = new CountDownLatch(1);
        PlayedModels models =
                new PlayedModels()
                        .model(
                                "m",
                                _ -> {
                                    never.await();
                                    return PlayedModels.answer(List.of());
                                });
        try (TestRunner test = TestRunner.start(dir, models)) {
            test.recorder.await("alice is ACTIVE");
            hold(test, "one");
            Eventually.holds("its run ends", () -> status(test, "alice") == AgentStatus.STOPPED);
            assertThat(test.runner.agentService().stop(test.host.principal(), "alice"))
                    .isInstanceOf(ActionResult.Done.class);
            int asked = models.requests.size();
            test.runner.holds().release(HUB, "one");
            assertThat(test.runner.agentService().start("alice", null))
                    .isInstanceOf(ActionResult.Done.class);
            Eventually.holds("a new session", () -> models.requests.size() == asked + 1);
            assertThat(test.log("alice")).noneMatch(line -> line.contains("goes on after"));
        }
    }
}
