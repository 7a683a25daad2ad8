package dev.skep.transport.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.wire.Frame;
import dev.skep.wire.call.CallFrame;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HeartbeatAnswer.RunOrder;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import dev.skep.wire.call.ReportAnswer;
import dev.skep.wire.call.ResultStatus;
import dev.skep.wire.call.RunAssignment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls and answers have the JSON they always had; what cannot be read is refused by name. */
class CallsOfEarlierVersionsTest {
    private static final HubCall.Heartbeat BEAT =
            new HubCall.Heartbeat(
                    Optional.of("0.1.0"),
                    Optional.empty(),
                    Optional.of("{\"cpu\":0.5}"),
                    List.of(new HubCall.HeldAttempt("r1", 2)),
                    Map.of(
                            "s1",
                            new HubCall.ServerState("running", Optional.of(Duration.ofSeconds(7)))),
                    Optional.of(List.of("steer", "jobs")));
    private static final RunAssignment RUN =
            new RunAssignment(
                    "j1",
                    "r1",
                    Optional.of("h1"),
                    Optional.of("s1"),
                    "server.start",
                    "{\"name\":\"web \\u00e9\"}",
                    1,
                    Optional.of(Duration.ofMinutes(1)));
    private static final String RUN_JSON =
            "{\"jobId\":\"j1\",\"runId\":\"r1\",\"jobRunId\":\"r1\",\"hostId\":\"h1\",\"serverInstanceId\":\"s1\","
                    + "\"type\":\"server.start\",\"payload\":{\"name\":\"web \\u00e9\"},"
                    + "\"attempt\":1,\"timeoutSeconds\":60}";

    @Test
    void a_heartbeat_names_what_the_host_holds_and_comes_out_the_same() {
        assertThat(BEAT.path()).isEqualTo("/api/agent/heartbeat");
        assertThat(BEAT.json())
                .isEqualTo(
                        "{\"version\":\"0.1.0\",\"metrics\":{\"cpu\":0.5},"
                                + "\"running\":[{\"runId\":\"r1\",\"attempt\":2}],"
                                + "\"servers\":{\"s1\":\"running\"},\"serverSeconds\":{\"s1\":7},"
                                + "\"allows\":[\"steer\",\"jobs\"]}");
        assertThat(HubCall.Heartbeat.read(Json.fields(BEAT.json()))).isEqualTo(BEAT);
        HubCall.Heartbeat empty = HubCall.Heartbeat.read(Json.fields("{\"later\":1}"));
        assertThat(empty.allows()).isEmpty();
        assertThat(empty.running()).isEmpty();
        assertThat(HubCall.Heartbeat.read(Json.fields("{\"allows\":[]}")).allows())
                .contains(List.of());
    }

    @Test
    void an_answer_to_a_heartbeat_orders_what_to_do_about_each_run() {
        HeartbeatAnswer answer =
                new HeartbeatAnswer(Duration.ofSeconds(10), Map.of("r1", RunOrder.CANCEL));
        assertThat(answer.json())
                .isEqualTo(
                        "{\"intervalSeconds\":10,\"runs\":[{\"runId\":\"r1\",\"do\":\"cancel\"}]}");
        assertThat(BEAT.answer(200, Json.fields(answer.json()))).isEqualTo(answer);
        String later = "{\"intervalSeconds\":10,\"runs\":[{\"runId\":\"r1\",\"do\":\"dance\"}]}";
        assertThatThrownBy(() -> BEAT.answer(200, Json.fields(later)))
                .isInstanceOf(SkepException.class)
                .hasMessageContaining("'do'");
    }

    @Test
    void the_next_run_comes_as_it_was_assigned_or_not_at_all() {
        HubCall.NextRun next = new HubCall.NextRun(Duration.ofSeconds(20), "w", false);
        assertThat(next.path()).isEqualTo("/api/agent/jobs/next?wait=20&worker=w");
        assertThat(new HubCall.NextRun(Duration.ZERO, "w", true).path())
                .isEqualTo("/api/agent/jobs/next?wait=0&worker=w&only=steering");
        assertThat(RUN.json()).isEqualTo(RUN_JSON);
        assertThat(next.answer(204, Json.fields("{}"))).isEmpty();
        RunAssignment read = next.answer(200, Json.fields(RUN_JSON)).orElseThrow();
        assertThat(Json.fields(read.payload()).text("name")).isEqualTo("web é");
        assertThat(read.timeout()).isEqualTo(RUN.timeout());
        String least = "{\"jobId\":\"j\",\"runId\":\"r\",\"type\":\"t\",\"attempt\":1}";
        assertThat(next.answer(200, Json.fields(least)).orElseThrow().payload()).isEqualTo("{}");
    }

    @Test
    void a_run_from_a_hub_that_calls_its_id_jobRunId_is_understood() {
        HubCall.NextRun next = new HubCall.NextRun(Duration.ofSeconds(20), "w", false);
        String earlier = "{\"jobId\":\"j\",\"jobRunId\":\"r\",\"type\":\"t\",\"attempt\":1}";
        assertThat(next.answer(200, Json.fields(earlier)).orElseThrow().runId()).isEqualTo("r");
    }

    @Test
    void output_and_reports_name_their_run_in_the_path() {
        HubCall.Output output =
                new HubCall.Output("r1", 1, List.of(new OutputChunk(3, "stdout", "hi\n")));
        assertThat(output.path()).isEqualTo("/api/agent/runs/r1/output");
        assertThat(output.json())
                .isEqualTo(
                        "{\"attempt\":1,\"chunks\":[{\"n\":3,\"stream\":\"stdout\",\"text\":\"hi\\n\"}]}");
        assertThat(HubCall.Output.readChunks(Json.fields(output.json())))
                .isEqualTo(output.chunks());

        HubCall.Report report =
                new HubCall.Report(
                        "r1", 1, ResultStatus.TIMED_OUT, Optional.of("{\"exitStatus\":1}"), true);
        assertThat(report.path()).isEqualTo("/api/agent/runs/r1/result?next=true");
        assertThat(report.json())
                .isEqualTo(
                        "{\"attempt\":1,\"status\":\"timed_out\",\"result\":{\"exitStatus\":1}}");
        assertThat(HubCall.Report.read("r1", true, Json.fields(report.json()))).isEqualTo(report);
        ReportAnswer answer = new ReportAnswer("applied", Optional.of(RUN));
        assertThat(answer.json())
                .isEqualTo("{\"settlement\":\"applied\",\"next\":" + RUN_JSON + "}");
        assertThat(report.answer(200, Json.fields("{\"settlement\":\"late\"}")))
                .isEqualTo(new ReportAnswer("late", Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"running\":[{\"runId\":\"r\"}]}|field 'attempt' must be a whole number",
                "{\"running\":[7]}|each of 'running' must be a JSON object",
                "{\"metrics\":7}|field 'metrics' must be a JSON object",
                "{\"servers\":{\"s\":7}}|field 's' must be a text of at most 10000",
                "{\"allows\":[7]}|field 'allows' must be a list of texts",
                "{\"keyVersion\":\"7\"}|field 'keyVersion' must be a whole number"
            })
    void a_bad_heartbeat_is_refused_by_its_field(String json, String message) {
        assertThatThrownBy(() -> HubCall.Heartbeat.read(Json.fields(json))).hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"attempt\":1}|field 'status' is missing",
                "{\"status\":\"failed\"}|field 'attempt' must be a whole number",
                "{\"attempt\":1,\"status\":\"lost\"}|status must be succeeded, failed, cancelled or timed_out",
                "{\"attempt\":1,\"state\":\"failed\"}|there is no field 'state'; there are [attempt, status, result]"
            })
    void a_bad_report_is_refused_by_its_field(String json, String message) {
        assertThatThrownBy(() -> HubCall.Report.read("r1", false, Json.fields(json)))
                .hasMessage(message);
    }

    @Test
    void too_much_output_at_once_is_refused() {
        String chunk = "{\"n\":1,\"stream\":\"stdout\",\"text\":\"%s\"}";
        String many = String.join(",", Collections.nCopies(1_001, chunk.formatted("")));
        assertThatThrownBy(
                        () -> HubCall.Output.readChunks(Json.fields("{\"chunks\":[" + many + "]}")))
                .hasMessage("at most 1000 chunks at a time");
        String longOne = chunk.formatted("x".repeat(OutputChunk.LONGEST + 1));
        assertThatThrownBy(
                        () ->
                                HubCall.Output.readChunks(
                                        Json.fields("{\"chunks\":[" + longOne + "]}")))
                .hasMessage("field 'text' must be a text of at most 16384");
    }

    @Test
    void a_frame_carries_what_http_would() {
        CallFrame.Call call = new CallFrame.Call(7, "/api/agent/jobs/next?wait=20", "{\"a\":[1]}");
        assertThat(text(call.frame()))
                .isEqualTo(
                        "{\"type\":\"call\",\"id\":7,\"path\":\"/api/agent/jobs/next?wait=20\",\"body\":{\"a\":[1]}}");
        assertThat(call.frame().type()).isEqualTo(CallFrame.CALL);
        assertThat(CallFrame.Call.read(call.frame())).isEqualTo(call);
        CallFrame.Answer done = new CallFrame.Answer(7, 204, "");
        assertThat(text(done.frame())).isEqualTo("{\"type\":\"answer\",\"id\":7,\"status\":204}");
        assertThat(CallFrame.Answer.read(done.frame())).isEqualTo(done);
    }

    @Test
    void a_frame_is_read_whatever_the_order_of_its_fields_and_the_depth_of_its_body() {
        String deep = "[".repeat(100) + "\"é\"" + "]".repeat(100);
        Frame odd =
                frame(
                        "{\"type\":\"call\", \"later\":{\"id\":1}, \"body\": %s , \"path\":\"/é\", \"id\":-3}"
                                .formatted(deep));
        assertThat(CallFrame.Call.read(odd)).isEqualTo(new CallFrame.Call(-3, "/é", deep));
        Frame text = frame("{\"type\":\"answer\",\"id\":1,\"status\":200,\"body\":\"a long one\"}");
        assertThat(CallFrame.Answer.read(text).body()).isEqualTo("\"a long one\"");
        Frame none = frame("{\"type\":\"answer\",\"id\":1,\"status\":200,\"body\":null}");
        assertThat(CallFrame.Answer.read(none).body()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"type\":\"call\",\"id\":7}",
                "{\"type\":\"call\",\"path\":\"/x\"}",
                "{\"type\":\"call\",\"id\":\"7\",\"path\":\"/x\"}",
                "{\"type\":\"call\",\"id\":7,\"path\":8}",
                "{\"type\":\"call\",\"id\":7,\"path\":\"/x\",\"body\":{",
                "{\"type\":\"call\",\"id\":7,\"path\":\"/x\"} {}",
                "{\"type\":\"call\",\"id\":99999999999999999999,\"path\":\"/x\"}"
            })
    void a_frame_that_is_no_call_is_refused(String json) {
        assertThatThrownBy(() -> CallFrame.Call.read(frame(json)))
                .isInstanceOfSatisfying(
                        SkepException.class,
                        e -> assertThat(e.code()).isEqualTo(ErrorCode.BAD_REQUEST));
    }

    private static Frame frame(String json) {
        return new Frame(false, json.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(Frame frame) {
        return new String(frame.bytes(), StandardCharsets.UTF_8);
    }
}
