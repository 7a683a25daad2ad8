package dev.skep.models.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.models.CommandCall;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelReply.Answered;
import dev.skep.models.ModelReply.Failed;
import dev.skep.models.ModelReply.Failure;
import dev.skep.models.ModelRequest;
import dev.skep.models.ModelSettings;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(WireFormat.class)
final class AskingAProviderTest {
    private static final String KEY = "sk-test-0123456789abcdef";
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    @Parameter WireFormat wire = WireFormat.ANTHROPIC;

    private final FakeProvider provider = new FakeProvider(FakeProvider.silent());
    private final RemoteModels models = new RemoteModels(InstantSource.fixed(NOW));

    @AfterEach
    void close() {
        models.close();
        provider.close();
    }

    private Model model(Duration idle) {
        return model(provider.address(), idle);
    }

    private Model model(String address, Duration idle) {
        return models.open(
                new ModelCard("test", wire.providerProtocol.word(), 1000, Prices.FREE),
                new ModelEndpoint(
                        wire.providerProtocol,
                        "test",
                        address,
                        KEY,
                        true,
                        ModelEndpoint.ReasoningStyle.NONE,
                        true,
                        8192,
                        idle));
    }

    private static ModelRequest request() {
        return new ModelRequest(
                "You are Ada.",
                List.of(new ModelMessage.Said("Say hello.")),
                true,
                ModelSettings.standard());
    }

    private ModelReply ask(FakeProvider.Answer answer) throws InterruptedException {
        provider.answer(answer);
        return model(Duration.ofSeconds(10)).ask(request(), ModelListener.SILENT);
    }

    private Failed failed(FakeProvider.Answer answer) throws InterruptedException {
        ModelReply reply = ask(answer);
        assertThat(reply).isInstanceOf(Failed.class);
        Failed failed = (Failed) reply;
        assertThat(failed.message())
                .doesNotContain(KEY)
                .doesNotContain("0123456789")
                .hasLineCount(1);
        return failed;
    }

    @Test
    void a_reply_comes_piece_by_piece_and_whole_with_its_exact_usage() throws Exception {
        var pieces = new ArrayList<String>();
        provider.answer(FakeProvider.stream(wire.whole()));
        ModelReply reply = model(Duration.ofSeconds(10)).ask(request(), pieces::add);
        assertThat(reply).isInstanceOf(Answered.class);
        Answered answered = (Answered) reply;
        assertThat(answered.text()).isEqualTo("Hello world");
        assertThat(String.join("", pieces)).isEqualTo("Hello world");
        assertThat(pieces).hasSizeGreaterThan(1);
        assertThat(answered.commands()).isEmpty();
        assertThat(answered.stop()).isEqualTo(ModelReply.Stop.DONE);
        assertThat(answered.usage())
                .isEqualTo(
                        wire == WireFormat.ANTHROPIC
                                ? new Usage(50, 20, 40, 10)
                                : new Usage(60, 20, 40, 0));
    }

    @Test
    void several_calls_are_several_commands() throws Exception {
        Answered answered = (Answered) ask(FakeProvider.stream(wire.twoCalls()));
        assertThat(answered.commands())
                .extracting(CommandCall::command)
                .containsExactly("ls -la", "echo \"ü\"");
        assertThat(answered.commands()).extracting(CommandCall::id).doesNotHaveDuplicates();
        assertThat(answered.usage().output()).isEqualTo(20);
    }

    @Test
    void a_reply_at_the_output_limit_says_so() throws Exception {
        Answered answered = (Answered) ask(FakeProvider.stream(wire.cutShort()));
        assertThat(answered.stop()).isEqualTo(ModelReply.Stop.OUTPUT_LIMIT);
    }

    @Test
    void outputs_and_calls_of_earlier_turns_are_sent_back() throws Exception {
        provider.answer(FakeProvider.stream(wire.whole()));
        var conversation =
                new ModelRequest(
                        "You are Ada.",
                        List.of(
                                new ModelMessage.Said("Look around."),
                                new ModelMessage.Replied(
                                        "I look.",
                                        List.of(
                                                new CommandCall("call_1", "ls"),
                                                new CommandCall("call_2", "pwd")),
                                        null),
                                new ModelMessage.Output("call_1", "a.txt"),
                                new ModelMessage.Output("call_2", ""),
                                new ModelMessage.Said("You have mail.")),
                        false,
                        ModelSettings.standard());
        ModelReply reply = model(Duration.ofSeconds(10)).ask(conversation, ModelListener.SILENT);
        assertThat(reply).isInstanceOf(Answered.class);
        assertThat(provider.nextRequest().body())
                .contains("You are Ada.", "Look around.", "I look.", "ls", "pwd", "a.txt")
                .contains("You have mail.", "\"run\"")
                .containsIgnoringCase("none");
    }

    @Test
    void plain_http_is_spoken_in_version_1_without_an_offer_to_upgrade() throws Exception {
        ask(FakeProvider.stream(wire.whole()));
        FakeProvider.Seen seen = provider.nextRequest();
        assertThat(seen.requestLine()).endsWith("HTTP/1.1");
        assertThat(seen.headers()).doesNotContainKeys("upgrade", "http2-settings");
        assertThat(seen.requestLine()).doesNotContain(KEY);
    }

    @Test
    void a_refused_key_is_no_use_trying_again() throws Exception {
        Failed failed =
                failed(
                        FakeProvider.status(
                                401,
                                "",
                                "{\"error\":{\"message\":\"Incorrect API key provided: %s.\"}}"
                                        .formatted(KEY)));
        assertThat(failed.failure()).isEqualTo(Failure.KEY_REFUSED);
        assertThat(failed.failure().retryable()).isFalse();
        assertThat(failed.message()).contains("401 Incorrect API key provided: ***");
    }

    @Test
    void a_rate_limit_says_how_long_to_wait() throws Exception {
        String body = "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"slow down\"}}";
        Failed seconds = failed(FakeProvider.status(429, "Retry-After: 7\r\n", body));
        assertThat(seconds.failure()).isEqualTo(Failure.RATE_LIMITED);
        assertThat(seconds.retryAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(seconds.usage()).isEqualTo(Usage.NONE);
        assertThat(
                        failed(
                                        FakeProvider.status(
                                                429,
                                                "Retry-After: Sun, 15 Nov 2026 12:01:30 GMT\r\n",
                                                body))
                                .retryAfter())
                .isEqualTo(Duration.ofSeconds(90));
        assertThat(failed(FakeProvider.status(429, "retry-after-ms: 1500\r\n", body)).retryAfter())
                .isEqualTo(Duration.ofMillis(1500));
        assertThat(failed(FakeProvider.status(429, "", body)).retryAfter()).isNull();
        assertThat(
                        failed(
                                        FakeProvider.status(
                                                429,
                                                "",
                                                "[{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"message\":\"x\",\"details\":[{\"retryDelay\":\"3.5s\"}]}}]"))
                                .retryAfter())
                .isEqualTo(Duration.ofMillis(3500));
    }

    @Test
    void each_no_of_a_provider_has_its_name() throws Exception {
        assertThat(failed(FakeProvider.status(500, "", "oops")).failure())
                .isEqualTo(Failure.OVERLOADED);
        assertThat(failed(FakeProvider.status(529, "", "{}")).failure())
                .isEqualTo(Failure.OVERLOADED);
        assertThat(failed(FakeProvider.status(503, "Retry-After: 2\r\n", "")).retryAfter())
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(failed(FakeProvider.status(404, "", "<html>\nnot\nhere</html>")).failure())
                .isEqualTo(Failure.BAD_REQUEST);
        assertThat(
                        failed(
                                        FakeProvider.status(
                                                400,
                                                "",
                                                "{\"error\":{\"message\":\"prompt is too long: 210000 tokens > 200000 maximum\"}}"))
                                .failure())
                .isEqualTo(Failure.CONTEXT_TOO_LONG);
        assertThat(
                        failed(
                                        FakeProvider.status(
                                                429,
                                                "",
                                                "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"You exceeded your current quota\"}}"))
                                .failure())
                .isEqualTo(Failure.QUOTA_EXHAUSTED);
    }

    @Test
    void an_error_in_the_middle_of_a_stream_is_a_failure() throws Exception {
        Failed failed =
                failed(FakeProvider.stream(String.join("", wire.opening()) + wire.errorEvent()));
        assertThat(failed.failure()).isEqualTo(Failure.OVERLOADED);
        assertThat(failed.usage().input()).isPositive();
    }

    @Test
    void a_stream_that_stalls_is_given_up_and_hung_up() throws Exception {
        provider.answer(FakeProvider.stalled(String.join("", wire.opening())));
        ModelReply reply = model(Duration.ofMillis(300)).ask(request(), ModelListener.SILENT);
        assertThat(reply).isInstanceOf(Failed.class);
        assertThat(((Failed) reply).failure()).isEqualTo(Failure.STALLED);
        assertThat(reply.usage().input()).isPositive();
        assertThat(provider.sawHangUp()).isTrue();
    }

    @Test
    void a_provider_that_never_answers_is_given_up() throws Exception {
        ModelReply reply = model(Duration.ofMillis(300)).ask(request(), ModelListener.SILENT);
        assertThat(((Failed) reply).failure()).isEqualTo(Failure.STALLED);
        assertThat(reply.usage().exact()).isFalse();
    }

    @Test
    void a_stream_cut_in_the_middle_is_no_reply() throws Exception {
        String begun = String.join("", wire.opening());
        Failed broken = failed(FakeProvider.cut(begun));
        assertThat(broken.failure()).isEqualTo(Failure.CUT_OFF);
        assertThat(broken.usage().input()).isPositive();
        assertThat(broken.usage().exact()).isFalse();
        assertThat(failed(FakeProvider.ended(begun)).failure()).isEqualTo(Failure.CUT_OFF);
    }

    @Test
    void malformed_events_are_no_reply() throws Exception {
        assertThat(
                        failed(
                                        FakeProvider.stream(
                                                wire.opening().getFirst()
                                                        + "data: {\"broken\": \n\n"
                                                        + wire.closing()))
                                .failure())
                .isEqualTo(Failure.MALFORMED);
        assertThat(failed(FakeProvider.stream("data: [1,2]\n\n" + wire.whole())).failure())
                .isEqualTo(Failure.MALFORMED);
        assertThat(failed(FakeProvider.status(200, "", "<html>captive</html>")).failure())
                .isEqualTo(Failure.MALFORMED);
        assertThat(failed(FakeProvider.stream("")).failure()).isEqualTo(Failure.MALFORMED);
    }

    @Test
    void a_wrong_call_is_the_models_mistake_and_says_what_is_expected() throws Exception {
        assertThat(problems(wire.twoCalls().replace("command", "cmd")))
                .containsExactly(
                        "'run' has no argument 'cmd'; 'command' is missing; call 'run' with the one argument 'command', a string",
                        "'run' has no argument 'cmd'; 'command' is missing; call 'run' with the one argument 'command', a string");
        assertThat(
                        problems(
                                wire.twoCalls()
                                        .replaceFirst(
                                                "\"name\":\"run\"", "\"name\":\"read_file\"")))
                .containsExactly(
                        "there is no tool 'read_file'; call 'run' with the one argument 'command', a string",
                        null);
        String list =
                wire.twoCalls()
                        .replaceFirst("(\\\\?\"ls)", "[$1")
                        .replaceFirst("(la\\\\?\")", "$1]");
        assertThat(problems(list))
                .first(InstanceOfAssertFactories.STRING)
                .startsWith("the argument 'command' of 'run' is a list and not a string; call");
    }

    private List<@Nullable String> problems(String events) throws InterruptedException {
        ModelReply reply = ask(FakeProvider.stream(events));
        assertThat(reply).isInstanceOf(Answered.class);
        return ((Answered) reply).commands().stream().map(CommandCall::problem).toList();
    }

    @Test
    void an_address_where_nobody_listens_is_unreachable() throws Exception {
        // bound and never listening: nobody else can take the port in the meantime
        try (var silent = new Socket()) {
            silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String nobody = "http://127.0.0.1:" + silent.getLocalPort();
            Failed failed =
                    (Failed)
                            model(nobody, Duration.ofSeconds(5))
                                    .ask(request(), ModelListener.SILENT);
            assertThat(failed.failure()).isEqualTo(Failure.UNREACHABLE);
            assertThat(failed.usage()).isEqualTo(Usage.NONE);
        }
    }

    @Test
    void interrupting_who_asks_hangs_up_at_once() throws Exception {
        provider.answer(FakeProvider.stalled(String.join("", wire.opening())));
        var begun = new CountDownLatch(1);
        var outcome = new CompletableFuture<Throwable>();
        Thread asking =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        model(Duration.ofMinutes(5))
                                                .ask(request(), _ -> begun.countDown());
                                        outcome.complete(new AssertionError("answered"));
                                    } catch (InterruptedException e) {
                                        outcome.complete(e);
                                    }
                                });
        assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
        asking.interrupt();
        assertThat(outcome.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        assertThat(provider.sawHangUp()).isTrue();
    }

    @Test
    void interrupting_before_the_answer_begins_hangs_up_too() throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> model(Duration.ofMinutes(5)).ask(request(), ModelListener.SILENT))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }
}
