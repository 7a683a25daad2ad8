package dev.skep.cli.acp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Finds in the log and the state of an agent the end of the turn that heard a prompt. */
final class TurnEndDetector {
    /** Looks at an idle agent before it counts as done: its state may be older than its log. */
    private static final int LOOKS = 3;

    /** The same where the log should tell the end, and does not. */
    private static final int MANY_LOOKS = 60;

    private static final Set<String> REASONS =
            Set.of("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled");

    private final CompletableFuture<String> end = new CompletableFuture<>();
    private boolean heard;
    private boolean answered;
    private boolean managed;
    private int idleLooks;
    private volatile boolean cancelled;

    /** The reason, once the turn has ended. */
    CompletableFuture<String> end() {
        return end;
    }

    synchronized boolean isHeard() {
        return heard;
    }

    /** The turn is being given up. */
    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /** A line that was written after the prompt, once it is told. */
    synchronized void line(JsonFields line) {
        idleLooks = 0;
        String type = line.shown("type");
        if (type.equals("talk")) {
            heard = true;
            return;
        }
        if (!heard) {
            return;
        }
        managed |=
                type.equals("prompt")
                        && line.object("detail").filter(d -> d.has("wake")).isPresent();
        answered |= !type.equals("prompt");
        if (type.equals("turn_end")) {
            String reason = line.object("detail").map(d -> d.shown("stopReason")).orElse("");
            end(REASONS.contains(reason) ? reason : "end_turn");
        }
    }

    /** What the agent did when its log had nothing new. */
    synchronized void idle(AgentClient.State state) {
        if (state.isAtWork()) {
            idleLooks = 0;
            return;
        }
        if (++idleLooks < LOOKS) {
            return;
        }
        if (cancelled) {
            end("cancelled");
        } else if (heard && state.status().equals("failed")) {
            fail("%s failed: %s".formatted(state.name(), state.reason()));
        } else if (heard && (answered || state.isOver()) && !endWillBeTold(state)) {
            end("end_turn");
        }
    }

    /** A managed agent tells the end of a turn itself, and its state may come before that. */
    private boolean endWillBeTold(AgentClient.State state) {
        return managed && state.status().equals("waiting") && idleLooks < MANY_LOOKS;
    }

    void end(String reason) {
        end.complete(cancelled ? "cancelled" : reason);
    }

    void fail(String why) {
        end.completeExceptionally(new SkepException(ErrorCode.JOB_FAILED, why));
    }
}
