package dev.skep.supervisor.view;

import dev.skep.dispatch.view.RunDetails;
import dev.skep.transport.route.Json;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One attempt of a job. */
public record RunView(
        String id,
        int attempt,
        String host,
        String status,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String result) {
    static RunView of(RunDetails run) {
        return new RunView(
                run.id(),
                run.attempt(),
                run.hostId(),
                run.status(),
                run.startedAt(),
                run.finishedAt(),
                run.result() == null ? null : Json.text(run.result()));
    }
}
