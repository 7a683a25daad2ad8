package dev.skep.models.scripted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.models.CommandCall;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelReply.Answered;
import dev.skep.models.ModelReply.Failed;
import dev.skep.models.ModelRequest;
import dev.skep.models.ModelSettings;
import dev.skep.models.Usage;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FollowingAScriptTest {
    private static final String SCRIPT =
            """
            context_tokens: 1000
            prices: { input: 3, output: 15 }
            steps:
              - when: { summary: true }
                say: "In short: nothing happened."
              - when: { turn: 0 }
                say: Good morning.
                run: [ "mail send bob 'hello'", "echo turn {{turn}}" ]
              - when: { last: "mail (\\\\d+) from (\\\\w+)", unseen: "already answered" }
                run: [ "mail read {{1}}", "mail send {{2}} 'thanks for {{1}}, $1'" ]
              - when: { system: "You are Bob", every: 2 }
                say: I am Bob.
              - when: { seen: "flaky" }
                fail: { as: rate_limited, retry_after: 2s, times: 2 }
                usage: { input: 10 }
              - when: { from_turn: 5, to_turn: 6 }
                say: Enough.
                stop: output_limit
                usage: { input: 1000000, output: 100000 }
              - run: [ session wait ]
            """;

    private final ScriptedModel model = model(SCRIPT);

    private static ScriptedModel model(String text) {
        return switch (YamlBinder.parse("test.yaml", text, ModelScript.class)) {
            case BindingResult.Value<ModelScript>(ModelScript script) ->
                    new ScriptedModel("scripted:test", script);
            case BindingResult.Problems<ModelScript> wrong ->
                    throw new AssertionError(wrong.problems());
        };
    }

    private static ModelRequest request(
            String system, boolean mayCommand, ModelMessage... messages) {
        return new ModelRequest(system, List.of(messages), mayCommand, ModelSettings.standard());
    }

    private ModelReply ask(ModelMessage... messages) throws InterruptedException {
        return model.ask(request("You are Ada.", true, messages), ModelListener.SILENT);
    }

    private static ModelMessage[] turns(int count, String last) {
        var messages = new ArrayList<ModelMessage>();
        messages.add(new ModelMessage.Said("go"));
        for (int i = 0; i < count; i++) {
            messages.add(new ModelMessage.Replied("", List.of(), null));
            messages.add(new ModelMessage.Said(i == count - 1 ? last : "go on"));
        }
        return messages.toArray(ModelMessage[]::new);
    }

    private static List<String> commands(ModelReply reply) {
        return ((Answered) reply).commands().stream().map(CommandCall::command).toList();
    }

    @Test
    void the_first_step_that_fits_is_the_reply() throws Exception {
        var heard = new ArrayList<String>();
        Answered first =
                (Answered)
                        model.ask(
                                request("You are Ada.", true, new ModelMessage.Said("go")),
                                heard::add);
        assertThat(first.text()).isEqualTo("Good morning.");
        assertThat(heard).containsExactly("Good morning.");
        assertThat(first.commands())
                .containsExactly(
                        new CommandCall("call-0-0", "mail send bob 'hello'"),
                        new CommandCall("call-0-1", "echo turn 0"));
        assertThat(commands(ask(turns(1, "nothing new")))).containsExactly("session wait");
    }

    @Test
    void what_was_shown_last_chooses_the_step_and_fills_it_in() throws Exception {
        assertThat(commands(ask(turns(3, "time 12:00\nmail 17 from bob\n"))))
                .containsExactly("mail read 17", "mail send bob 'thanks for 17, $1'");
        assertThat(commands(ask(turns(3, "mail 17 from bob, already answered"))))
                .containsExactly("session wait");
        assertThat(
                        commands(
                                ask(
                                        new ModelMessage.Said("mail 17 from bob"),
                                        new ModelMessage.Replied("", List.of(), null),
                                        new ModelMessage.Said("nothing"))))
                .containsExactly("session wait");
    }

    @Test
    void the_same_request_has_the_same_reply_whatever_came_before() throws Exception {
        ModelReply before = ask(turns(3, "mail 1 from bob"));
        ask(new ModelMessage.Said("go"));
        assertThat(ask(turns(3, "mail 1 from bob"))).isEqualTo(before);
        assertThat(
                        model(SCRIPT)
                                .ask(
                                        request("You are Ada.", true, turns(3, "mail 1 from bob")),
                                        ModelListener.SILENT))
                .isEqualTo(before);
    }

    @Test
    void the_system_prompt_and_the_turn_can_choose() throws Exception {
        assertThat(model.ask(request("You are Bob.", true, turns(2, "x")), ModelListener.SILENT))
                .extracting(reply -> ((Answered) reply).text())
                .isEqualTo("I am Bob.");
        assertThat(model.ask(request("You are Bob.", true, turns(3, "x")), ModelListener.SILENT))
                .extracting(reply -> ((Answered) reply).text())
                .isEqualTo("");
    }

    @Test
    void a_summary_is_asked_for_and_given_without_commands() throws Exception {
        Answered summary =
                (Answered)
                        model.ask(
                                request("You are Ada.", false, turns(3, "x")),
                                ModelListener.SILENT);
        assertThat(summary.text()).isEqualTo("In short: nothing happened.");
        assertThat(summary.commands()).isEmpty();
    }

    @Test
    void a_failure_on_purpose_ends_after_its_number_of_times() throws Exception {
        ModelMessage[] flaky = turns(1, "flaky");
        for (int i = 0; i < 2; i++) {
            Failed failed = (Failed) ask(flaky);
            assertThat(failed.failure()).isEqualTo(ModelReply.Failure.RATE_LIMITED);
            assertThat(failed.retryAfter()).isEqualTo(Duration.ofSeconds(2));
            assertThat(failed.usage()).isEqualTo(new Usage(10, 0, 0, 0));
        }
        assertThat(commands(ask(flaky))).containsExactly("session wait");
    }

    @Test
    void usage_is_pretended_or_counted_and_costs_what_the_script_says() throws Exception {
        Answered pretended = (Answered) ask(turns(5, "x"));
        assertThat(pretended.stop()).isEqualTo(ModelReply.Stop.OUTPUT_LIMIT);
        assertThat(model.card().prices().cost(pretended.usage())).isEqualTo(4_500_000);
        Answered counted = (Answered) ask(new ModelMessage.Said("12345678"));
        assertThat(counted.usage().input()).isEqualTo(5);
        assertThat(counted.usage().output()).isEqualTo(12);
    }

    @Test
    void a_slow_reply_can_be_interrupted() {
        ScriptedModel slow = model("steps: [ { say: late, delay: 1h } ]");
        Thread.currentThread().interrupt();
        assertThatThrownBy(
                        () ->
                                slow.ask(
                                        request("", true, new ModelMessage.Said("go")),
                                        ModelListener.SILENT))
                .isInstanceOf(InterruptedException.class);
    }

    @Test
    void a_script_without_a_step_for_it_says_so() throws Exception {
        Answered answered =
                (Answered)
                        model("steps: [ { when: { turn: 7 }, say: x } ]")
                                .ask(
                                        request("", true, new ModelMessage.Said("go")),
                                        ModelListener.SILENT);
        assertThat(answered.text()).contains("no step");
        assertThat(answered.commands()).isEmpty();
    }

    @Test
    void a_wrong_script_says_where() {
        assertThat(
                        YamlBinder.parse(
                                "x.yaml", "steps:\n  - when: { last: '(' }\n", ModelScript.class))
                .asString()
                .contains("x.yaml:2:19", "steps[0].when.last", "is not a regular expression");
        assertThat(YamlBinder.parse("x.yaml", "steps: []", ModelScript.class))
                .asString()
                .contains("at least one step");
    }
}
