package dev.skep.dispatch.routes;

import dev.skep.transport.describe.JsonName;
import dev.skep.wire.call.OutputChunk;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The form of what hosts send and get. The JSON itself is written and read in {@code wire.call};
 * tests compare the two.
 */
final class WorkerBodies {
    private WorkerBodies() {}

    /**
     * A host's heartbeat.
     *
     * @param servers the states of the hub's servers, by id
     * @param serverSeconds for how long they have been so, by id
     * @param facts what the host says of itself for tests of labels, such as os and cpus
     */
    record Heartbeat(
            @Nullable String version,
            @Nullable Integer keyVersion,
            @Nullable Object metrics,
            @Nullable List<HeldRun> running,
            @Nullable Map<String, String> servers,
            @Nullable Map<String, Long> serverSeconds,
            @Nullable List<String> allows,
            @Nullable Map<String, String> facts) {}

    record HeldRun(String runId, int attempt) {}

    record HeartbeatOrders(long intervalSeconds, List<OrderForRun> runs) {}

    /** What to do about a run: renewed (go on), cancel (stop and report), gone (stop). */
    record OrderForRun(String runId, @JsonName("do") String order) {}

    /**
     * A run that its host is to execute.
     *
     * @param jobRunId the same as runId, under the name of earlier versions
     */
    record AssignedRun(
            String jobId,
            String runId,
            String jobRunId,
            @Nullable String hostId,
            @Nullable String serverInstanceId,
            String type,
            Map<String, Object> payload,
            int attempt,
            @Nullable Long timeoutSeconds) {}

    record Printed(@Nullable Integer attempt, List<OutputChunk> chunks) {}

    /**
     * How a run ended.
     *
     * @param status succeeded, failed, cancelled or timed_out
     */
    record Ended(int attempt, String status, @Nullable Object result) {}

    /**
     * What a host did about the hold of all agents that the hub wanted last.
     *
     * @param hold its id; left out where there is none
     * @param state free, held, lifted or refused
     */
    record HoldReport(@Nullable String hold, String state) {}

    /**
     * What it is to do; neither where it has done so.
     *
     * @param release the id of the hold that is over
     */
    record HoldOrder(@Nullable WantedHold hold, @Nullable String release) {}

    record WantedHold(String id, String by, String reason) {}

    /**
     * What became of the report.
     *
     * @param settlement applied, repeated or late
     */
    record Settled(String settlement, @Nullable AssignedRun next) {}
}
