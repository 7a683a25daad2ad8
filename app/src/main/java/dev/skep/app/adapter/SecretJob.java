package dev.skep.app.adapter;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.job.JobKind;
import dev.skep.runner.HostSecrets;
import dev.skep.transport.route.JsonFields;
import dev.skep.worker.AssignedRun;
import dev.skep.worker.JobResult;
import dev.skep.worker.JobType;
import dev.skep.worker.RunOutput;
import java.util.Map;
import java.util.Set;

/** Takes secrets that were sealed for this host, and forgets them. */
public final class SecretJob implements JobType {
    private final HostSecrets secrets;

    public SecretJob(HostSecrets secrets) {
        this.secrets = secrets;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(JobKind.SECRET_SET, JobKind.SECRET_REMOVE);
    }

    @Override
    public JobResult run(AssignedRun run, RunOutput output) {
        JsonFields payload = run.payload();
        String name = payload.text("name");
        long version = payload.number("version");
        try {
            if (run.type().equals(JobKind.SECRET_SET.type())) {
                secrets.set(run.hub(), name, version, payload.text("sealed"));
                return JobResult.succeeded(Map.of("message", name + " is set"));
            }
            secrets.remove(run.hub(), name, version);
            return JobResult.succeeded(Map.of("message", name + " is forgotten"));
        } catch (SkepException refused) {
            return JobResult.failed(String.valueOf(refused.getMessage()));
        }
    }
}
