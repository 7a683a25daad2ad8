package dev.skep.dispatch.routes;

import dev.skep.dispatch.policy.JobPolicy;
import dev.skep.dispatch.policy.JobPolicyStore;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.kernel.identity.Role;
import dev.skep.kernel.job.JobPermissions;
import dev.skep.store.Database;
import dev.skep.transport.describe.Operation;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.JsonFields;
import dev.skep.transport.route.OrgScope;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.Route;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How an org wants its jobs treated. */
public final class JobPolicyRoutes implements Route.Source {
    private static final String PATH = "/api/orgs/{org}/job-policy";

    private final Database database;
    private final JobPolicyStore policies;
    private final AuditRecorder audit;
    private final InstantSource clock;

    public JobPolicyRoutes(
            Database database, JobPolicyStore policies, AuditRecorder audit, InstantSource clock) {
        this.database = database;
        this.policies = policies;
        this.audit = audit;
        this.clock = clock;
    }

    @Override
    public List<Route> routes() {
        return List.of(
                new Route(
                                HttpMethod.GET,
                                PATH,
                                Access.operators(Role.VIEWER),
                                OrgScope.PATH,
                                this::show)
                        .described(
                                Operation.of("The org's policy for jobs.")
                                        .answers(JobPolicy.class)),
                new Route(
                                HttpMethod.PATCH,
                                PATH,
                                Access.operators(Role.ADMIN),
                                OrgScope.PATH,
                                this::change)
                        .described(
                                Operation.of(
                                                "Changes that: whether jobs over a host's limits get 429, and what keys of agents may ask for.")
                                        .takes(PolicyChange.class)
                                        .answers(JobPolicy.class)));
    }

    private record PolicyChange(
            @Nullable Boolean refuseExcess, @Nullable List<String> agentJobTypes) {}

    private Response show(Request request) {
        return Response.json(database.read(snapshot -> policies.of(snapshot, request.org())));
    }

    private Response change(Request request) {
        JsonFields fields = request.fields().only(PolicyChange.class);
        JobPolicy changed =
                database.write(
                        transaction -> {
                            JobPolicy policy =
                                    with(policies.of(transaction, request.org()), fields);
                            policies.set(transaction, request.org(), policy, clock.instant());
                            audit.record(
                                    transaction,
                                    request.actor(),
                                    "job_policy_changed",
                                    "org:" + request.org(),
                                    Map.of(
                                            "refuseExcess",
                                            Boolean.toString(policy.refuseExcess()),
                                            "agentJobTypes",
                                            String.join(" ", policy.agentJobTypes())));
                            return policy;
                        });
        return Response.json(changed);
    }

    /** What is not named stays. */
    private static JobPolicy with(JobPolicy before, JsonFields fields) {
        boolean excess =
                fields.has("refuseExcess") ? fields.flag("refuseExcess") : before.refuseExcess();
        if (!fields.has("agentJobTypes")) {
            return new JobPolicy(excess, before.agentJobTypes());
        }
        List<String> types = fields.textList("agentJobTypes");
        types.forEach(JobPolicyRoutes::requireGrantable);
        return new JobPolicy(excess, types);
    }

    private static void requireGrantable(String type) {
        JobPayloadValidator.requireName(type);
        if (!JobPermissions.isGrantable(type)) {
            throw DispatchResponses.bad(
                    "%s cannot be granted to agents: it steers or decides, which is for people"
                            .formatted(type));
        }
    }
}
