package dev.skep.models.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.models.CommandCall;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply.Answered;
import dev.skep.models.ModelRequest;
import dev.skep.models.ModelSettings;
import dev.skep.models.Prices;
import dev.skep.models.ToolOffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

/** Tools beside the command line, on every wire. */
@ParameterizedClass
@EnumSource(WireFormat.class)
final class OfferingToolsTest {
    private static final ToolOffer READ =
            new ToolOffer(
                    "files__read",
                    "tool files.read",
                    "Reads one file.",
                    """
                    {"type":"object","required":["path","how"],"properties":{
                      "path":{"type":"string","description":"the file to read"},
                      "how":{"type":"object","properties":{"lines":{"type":"array","items":{"type":"integer"}}}},
                      "mode":{"enum":["text","bytes"]},
                      "place":{"$ref":"#/$defs/place"}},
                     "$defs":{"place":{"type":"object","description":"somewhere","properties":{"up":{"$ref":"#/$defs/place"}}}}}""");

    @Parameter WireFormat wire = WireFormat.ANTHROPIC;

    private final FakeProvider provider = new FakeProvider(FakeProvider.silent());
    private final RemoteModels models = new RemoteModels(InstantSource.system());

    @AfterEach
    void close() {
        models.close();
        provider.close();
    }

    private Model model(boolean tools) {
        return models.open(
                new ModelCard("test", wire.providerProtocol.word(), 1000, Prices.FREE),
                new ModelEndpoint(
                        wire.providerProtocol,
                        "test",
                        provider.address(),
                        "key",
                        tools,
                        ModelEndpoint.ReasoningStyle.NONE,
                        true,
                        8192,
                        Duration.ofSeconds(10)));
    }

    private static ModelRequest request(ModelMessage... messages) {
        return new ModelRequest("You are Ada.", List.of(messages), true, ModelSettings.standard());
    }

    private Answered ask(boolean tools, String events, ModelRequest request) throws Exception {
        provider.answer(FakeProvider.stream(events));
        return (Answered) model(tools).ask(request, ModelListener.SILENT);
    }

    @Test
    void a_call_of_an_offered_tool_is_its_command_line() throws Exception {
        String called =
                wire.twoCalls().replaceFirst("\"name\":\"run\"", "\"name\":\"files__read\"");
        Answered answered =
                ask(true, called, request(new ModelMessage.Said("Look.")).with(List.of(READ)));
        assertThat(answered.commands())
                .extracting(CommandCall::command)
                .containsExactly("tool files.read {\"command\":\"ls -la\"}", "echo \"ü\"");
        assertThat(answered.commands()).extracting(CommandCall::problem).containsOnlyNulls();
        assertThat(provider.nextRequest().body())
                .contains("files__read", "Reads one file.", "the file to read", "somewhere")
                .contains("\"bytes\"")
                .containsIgnoringCase("integer")
                .doesNotContain("$ref");
    }

    @Test
    void a_tool_that_is_not_offered_is_a_wrong_call() throws Exception {
        String called =
                wire.twoCalls().replaceFirst("\"name\":\"run\"", "\"name\":\"files__write\"");
        Answered answered =
                ask(true, called, request(new ModelMessage.Said("Look.")).with(List.of(READ)));
        assertThat(answered.commands().getFirst().problem())
                .startsWith("there is no tool 'files__write'");
    }

    @Test
    void a_call_in_the_conversation_is_shown_as_it_was_made() throws Exception {
        ModelRequest request =
                request(
                        new ModelMessage.Said("Look."),
                        new ModelMessage.Replied(
                                "",
                                List.of(
                                        new CommandCall("c1", "tool files.read {\"path\":\"a\"}"),
                                        new CommandCall("c2", "tool files.gone {\"path\":\"b\"}")),
                                null),
                        new ModelMessage.Output("c1", "text of a"),
                        new ModelMessage.Output("c2", "text of b"),
                        new ModelMessage.Said("And now?"));
        ask(true, wire.whole(), request.with(List.of(READ)));
        String sent = JsonMapper.shared().readTree(provider.nextRequest().body()).toString();
        assertThat(sent.split("\"name\":\"files__read\"", -1).length - 1)
                .as("in the list, in the call, and where it is wanted in the answer")
                .isBetween(2, 3);
        // What is offered no more is still a command line.
        assertThat(sent).contains("tool files.gone").doesNotContain("tool files.read");
    }

    @Test
    void a_model_that_calls_no_tools_is_told_the_command_lines() throws Exception {
        String block = "```bash\ntool files.read {\"path\":\"a\"}\n```\n";
        String fenced =
                wire.whole().replace("Hello", block.replace("\"", "\\\"").replace("\n", "\\n"));
        ModelRequest request = request(new ModelMessage.Said("Look.")).with(List.of(READ));
        Answered answered = ask(false, fenced, request);
        String sent = provider.nextRequest().body();
        assertThat(sent).contains("tool files.read {…}: Reads one file.");
        assertThat(JsonMapper.shared().readTree(sent).has("tools")).isFalse();
        if (wire != WireFormat.GOOGLE) {
            assertThat(answered.commands())
                    .extracting(CommandCall::command)
                    .containsExactly("tool files.read {\"path\":\"a\"}");
        }
    }

    @Test
    void what_tools_take_of_the_prompt_is_counted_before_it_is_sent() throws Exception {
        ModelRequest without = request(new ModelMessage.Said("Look."));
        ModelRequest with = without.with(List.of(READ));
        long demanded = model(true).demand(with).promptBytes();
        assertThat(demanded - model(true).demand(without).promptBytes()).isGreaterThan(200);
        ask(true, wire.whole(), with);
        assertThat((long) provider.nextRequest().body().getBytes(StandardCharsets.UTF_8).length)
                .isLessThanOrEqualTo(demanded);
    }
}
