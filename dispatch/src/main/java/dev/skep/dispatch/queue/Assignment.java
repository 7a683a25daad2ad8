package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.ServerId;
import dev.skep.kernel.id.HostId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A run handed to its host: everything needed to do it. */
public record Assignment(
        JobId job,
        RunId run,
        HostId host,
        @Nullable ServerId server,
        String type,
        String payload,
        int attempt,
        @Nullable Duration timeout) {}
