package dev.skep.wire.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a host asks its hub: where the call goes, the JSON that it carries, and what its answer
 * holds. The hub reads each call with the method beside the one that writes it.
 *
 * @param <A> what the hub answers
 */
public sealed interface HubCall<A>
        permits HubCall.Heartbeat,
                HubCall.NextRun,
                HubCall.Output,
                HubCall.Report,
                HubCall.Hold,
                BudgetExchange {
    /** The path, with its query. */
    String path();

    /** The JSON object that goes there. */
    String json();

    /** Reads the answer to a call that the hub did not refuse. */
    A answer(int status, MessageFields fields);

    /** An answer without content: the hub has accepted what was sent. */
    record Taken() {}

    /** A run that a host holds. */
    record HeldAttempt(String runId, int attempt) {}

    /** A server's state, and for how long it has been so, if the host knows. */
    record ServerState(String state, Optional<Duration> age) {}

    /**
     * A host's heartbeat.
     *
     * @param keyVersion which of its keys the host uses, if it reports that
     * @param metrics the host's load, a JSON object
     * @param running the runs that it holds; each is renewed
     * @param servers the states of the hub's servers, by id
     * @param allows what the host lets this hub do, if it reports that
     * @param facts what the host says of itself for tests of labels, if it does
     */
    record Heartbeat(
            Optional<String> version,
            Optional<Integer> keyVersion,
            Optional<String> metrics,
            List<HeldAttempt> running,
            Map<String, ServerState> servers,
            Optional<List<String>> allows,
            Optional<Map<String, String>> facts)
            implements HubCall<HeartbeatAnswer> {
        public static final String PATH = "/api/agent/heartbeat";

        /** Of a host that says nothing of itself. */
        public Heartbeat(
                Optional<String> version,
                Optional<Integer> keyVersion,
                Optional<String> metrics,
                List<HeldAttempt> running,
                Map<String, ServerState> servers,
                Optional<List<String>> allows) {
            this(version, keyVersion, metrics, running, servers, allows, Optional.empty());
        }

        @Override
        public String path() {
            return PATH;
        }

        @Override
        public String json() {
            return CallJson.object(
                    json -> {
                        version.ifPresent(text -> json.writeStringProperty("version", text));
                        keyVersion.ifPresent(n -> json.writeNumberProperty("keyVersion", n));
                        metrics.ifPresent(object -> CallJson.raw(json, "metrics", object));
                        CallJson.array(
                                json,
                                "running",
                                running,
                                (each, run) -> {
                                    each.writeStringProperty("runId", run.runId());
                                    each.writeNumberProperty("attempt", run.attempt());
                                });
                        json.writeObjectPropertyStart("servers");
                        servers.forEach((id, is) -> json.writeStringProperty(id, is.state()));
                        json.writeEndObject();
                        json.writeObjectPropertyStart("serverSeconds");
                        servers.forEach(
                                (id, is) ->
                                        is.age()
                                                .ifPresent(
                                                        age ->
                                                                json.writeNumberProperty(
                                                                        id, age.toSeconds())));
                        json.writeEndObject();
                        allows.ifPresent(
                                labels -> {
                                    json.writeArrayPropertyStart("allows");
                                    labels.forEach(json::writeString);
                                    json.writeEndArray();
                                });
                        facts.ifPresent(
                                known -> {
                                    json.writeObjectPropertyStart("facts");
                                    known.forEach(json::writeStringProperty);
                                    json.writeEndObject();
                                });
                    });
        }

        public static Heartbeat read(MessageFields fields) {
            return new Heartbeat(
                    fields.optionalText("version"),
                    fields.optionalNumber("keyVersion").map(Long::intValue),
                    fields.object("metrics").flatMap(_ -> fields.json("metrics")),
                    heldAttempts(fields),
                    serverStates(fields),
                    fields.has("allows")
                            ? Optional.of(fields.textList("allows"))
                            : Optional.empty(),
                    fields.object("facts").map(MessageFields::texts));
        }

        private static List<HeldAttempt> heldAttempts(MessageFields fields) {
            List<HeldAttempt> held = new ArrayList<>();
            fields.list("running")
                    .forEach(
                            run ->
                                    held.add(
                                            new HeldAttempt(
                                                    run.text("runId"),
                                                    (int) run.number("attempt"))));
            return held;
        }

        private static Map<String, ServerState> serverStates(MessageFields fields) {
            Optional<? extends MessageFields> ages = fields.object("serverSeconds");
            Map<String, ServerState> servers = new LinkedHashMap<>();
            fields.object("servers")
                    .map(MessageFields::texts)
                    .orElse(Map.of())
                    .forEach(
                            (id, state) -> {
                                Optional<Long> seconds =
                                        ages.flatMap(each -> each.optionalNumber(id));
                                servers.put(
                                        id,
                                        new ServerState(state, seconds.map(Duration::ofSeconds)));
                            });
            return servers;
        }

        @Override
        public HeartbeatAnswer answer(int status, MessageFields fields) {
            return HeartbeatAnswer.read(fields);
        }
    }

    /**
     * Asks for the next run.
     *
     * @param longestWait how long the hub waits for one
     * @param worker the process that asks, so that the hub forgets what waits for an earlier one
     * @param steeringOnly whether the host has no room for other than steering
     */
    record NextRun(Duration longestWait, String worker, boolean steeringOnly)
            implements HubCall<Optional<RunAssignment>> {
        public static final String PATH = "/api/agent/jobs/next";

        /** The names of its query. */
        public static final String WAIT = "wait";

        public static final String WORKER = "worker";
        public static final String ONLY = "only";

        /** The only value of {@link #ONLY}. */
        public static final String STEERING = "steering";

        private static final int NO_CONTENT = 204;

        @Override
        public String path() {
            String all =
                    "%s?%s=%d&%s=%s".formatted(PATH, WAIT, longestWait.toSeconds(), WORKER, worker);
            return steeringOnly ? all + "&" + ONLY + "=" + STEERING : all;
        }

        @Override
        public String json() {
            return "{}";
        }

        @Override
        public Optional<RunAssignment> answer(int status, MessageFields fields) {
            return status == NO_CONTENT
                    ? Optional.empty()
                    : Optional.of(RunAssignment.read(fields));
        }
    }

    /** Sends pieces of what a run printed. */
    record Output(String runId, int attempt, List<OutputChunk> chunks) implements HubCall<Taken> {
        public static final String PATH = "/api/agent/runs/{run}/output";

        private static final int MOST_CHUNKS = 1_000;

        @Override
        public String path() {
            return PATH.replace("{run}", runId);
        }

        @Override
        public String json() {
            return CallJson.object(
                    json -> {
                        json.writeNumberProperty("attempt", attempt);
                        CallJson.array(
                                json,
                                "chunks",
                                chunks,
                                (each, chunk) -> {
                                    each.writeNumberProperty("n", chunk.n());
                                    each.writeStringProperty("stream", chunk.stream());
                                    each.writeStringProperty("text", chunk.text());
                                });
                    });
        }

        /** The pieces; the hub does not look at the attempt. */
        public static List<OutputChunk> readChunks(MessageFields fields) {
            List<? extends MessageFields> chunkList = fields.list("chunks");
            if (chunkList.size() > MOST_CHUNKS) {
                throw new SkepException(
                        ErrorCode.BAD_REQUEST,
                        "at most %d chunks at a time".formatted(MOST_CHUNKS));
            }
            List<OutputChunk> chunks = new ArrayList<>();
            for (MessageFields chunk : chunkList) {
                chunks.add(
                        new OutputChunk(
                                chunk.number("n"),
                                chunk.text("stream"),
                                chunk.longText("text", OutputChunk.LONGEST)));
            }
            return chunks;
        }

        @Override
        public Taken answer(int status, MessageFields fields) {
            return new Taken();
        }
    }

    /**
     * Reports how a run ended.
     *
     * @param result what people are shown of it, as JSON
     * @param wantsNext whether the host would execute another run
     */
    record Report(
            String runId,
            int attempt,
            ResultStatus status,
            Optional<String> result,
            boolean wantsNext)
            implements HubCall<ReportAnswer> {
        public static final String PATH = "/api/agent/runs/{run}/result";

        /** The name in its query; the value is true. */
        public static final String NEXT = "next";

        @Override
        public String path() {
            String path = PATH.replace("{run}", runId);
            return wantsNext ? path + "?" + NEXT + "=true" : path;
        }

        @Override
        public String json() {
            return CallJson.object(
                    json -> {
                        json.writeNumberProperty("attempt", attempt);
                        json.writeStringProperty("status", status.label());
                        result.ifPresent(text -> CallJson.raw(json, "result", text));
                    });
        }

        /** The report about a run, which the path names. */
        public static Report read(String runId, boolean wantsNext, MessageFields fields) {
            MessageFields known = fields.only("attempt", "status", "result");
            ResultStatus status = ResultStatus.of(known.text("status"));
            return new Report(
                    runId, (int) known.number("attempt"), status, known.json("result"), wantsNext);
        }

        @Override
        public ReportAnswer answer(int status, MessageFields fields) {
            return ReportAnswer.read(fields);
        }
    }

    /**
     * Asks whether all agents of this host are to stand still, and says what it knows of that.
     *
     * @param hold the id of what the hub wanted last, unless that is over
     * @param longestWait how long the hub waits until that is no longer what it wants
     * @param worker the process that asks, so that the hub forgets what waits for an earlier one
     */
    record Hold(Optional<String> hold, HoldState state, Duration longestWait, String worker)
            implements HubCall<HoldAnswer> {
        public static final String PATH = "/api/agent/hold";

        /** The names of its query. */
        public static final String WAIT = "wait";

        public static final String WORKER = "worker";

        @Override
        public String path() {
            return "%s?%s=%d&%s=%s".formatted(PATH, WAIT, longestWait.toSeconds(), WORKER, worker);
        }

        @Override
        public String json() {
            return CallJson.object(
                    json -> {
                        hold.ifPresent(id -> json.writeStringProperty("hold", id));
                        json.writeStringProperty("state", state.label());
                    });
        }

        public static Hold read(MessageFields fields, Duration longestWait, String worker) {
            MessageFields known = fields.only("hold", "state");
            return new Hold(
                    known.optionalText("hold"),
                    HoldState.of(known.text("state")),
                    longestWait,
                    worker);
        }

        @Override
        public HoldAnswer answer(int status, MessageFields fields) {
            return HoldAnswer.read(fields);
        }
    }
}
