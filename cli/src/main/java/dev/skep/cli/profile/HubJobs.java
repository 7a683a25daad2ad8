package dev.skep.cli.profile;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.Set;

/** What became of something that a hub asked an agent's host to do. */
final class HubJobs {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
    private static final Set<String> UNDER_WAY = Set.of("pending", "running");

    private final ApiClient hub;
    private final String org;

    HubJobs(ApiClient hub, String org) {
        this.hub = hub;
        this.org = org;
    }

    /** What the host says of it, or that the host is yet to do it. */
    String outcome(JsonFields asked, String done) {
        String job = asked.shown("job");
        if (job.isEmpty()) {
            return done;
        }
        JsonFields shown = job(job);
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (isUnderWay(shown) && System.nanoTime() < end && pause()) {
            shown = job(job);
        }
        if (isUnderWay(shown)) {
            return "its host has not done it yet; 'skep jobs show %s' shows the outcome"
                    .formatted(job);
        }
        if (!shown.shown("status").equals("succeeded")) {
            throw new SkepException(
                    ErrorCode.JOB_FAILED,
                    "the agent's host refused: " + result(shown, "error", shown.shown("status")));
        }
        return result(shown, "message", done);
    }

    private JsonFields job(String job) {
        return hub.get(org + "/jobs/" + job).fields();
    }

    private static boolean isUnderWay(JsonFields job) {
        return UNDER_WAY.contains(job.shown("status"));
    }

    private static String result(JsonFields job, String name, String otherwise) {
        return job.object("run")
                .flatMap(run -> run.object("result"))
                .map(result -> result.shown(name))
                .filter(text -> !text.isEmpty())
                .orElse(otherwise);
    }

    private static boolean pause() {
        try {
            Thread.sleep(LOOK_AGAIN);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
