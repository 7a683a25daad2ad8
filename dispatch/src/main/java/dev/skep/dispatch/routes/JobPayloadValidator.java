package dev.skep.dispatch.routes;

import dev.skep.dispatch.job.ApprovalDecisionJob;
import dev.skep.dispatch.job.ServerId;
import dev.skep.dispatch.server.ServerStore;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.job.JobKind;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * What the types the runner knows must carry. Other types are let through: an agent in any language
 * may know more, and a runner that does not know one says so.
 */
final class JobPayloadValidator {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)*");

    private JobPayloadValidator() {}

    /**
     * The payload to store for a job of this type.
     *
     * @param by the caller's name for people
     */
    static String payload(
            String type, JsonFields job, Optional<ServerStore.Target> server, Supplier<String> by) {
        requireName(type);
        JsonFields payload = job.object("payload").orElseGet(() -> Json.fields("{}"));
        if (type.startsWith("server.")) {
            return server.map(JobPayloadValidator::ofServer)
                    .orElseThrow(() -> DispatchResponses.bad(type + " needs a serverInstanceId"));
        }
        if (type.startsWith("agent.") && payload.optionalText("agent").isEmpty()) {
            throw DispatchResponses.bad(type + " needs payload.agent, an agent's name");
        }
        Optional<JobKind> kind = JobKind.of(type);
        if (kind.filter(JobKind::isFileChange).isPresent()) {
            throw DispatchResponses.bad(
                    "%s is not asked for as a job: POST to /api/orgs/ORG/agents, or PUT or DELETE an agent there, which checks its file first"
                            .formatted(type));
        }
        if (kind.filter(JobKind::isAboutSecrets).isPresent()) {
            throw DispatchResponses.bad(
                    "%s is not asked for as a job: PUT or DELETE a secret below /api/orgs/ORG/secrets, where only sealed values are taken"
                            .formatted(type));
        }
        kind.stream()
                .flatMap(known -> known.needs().stream())
                .filter(name -> payload.optionalText(name).isEmpty())
                .findFirst()
                .ifPresent(
                        name -> {
                            throw DispatchResponses.bad(
                                    "%s needs payload.%s".formatted(type, name));
                        });
        Optional<JobKind> decision = kind.filter(JobKind::isDecision);
        if (decision.isPresent()) {
            return new ApprovalDecisionJob(
                            decision.get(),
                            payload.text("agent"),
                            new ApprovalId(payload.optionalText("approval").orElse("")),
                            by.get(),
                            payload.optionalText("reason").orElse(null))
                    .payload();
        }
        return job.json("payload").orElse("{}");
    }

    static void requireName(String type) {
        if (!NAME.matcher(type).matches() || type.length() > 100) {
            throw DispatchResponses.bad(
                    "type '%s' is not usable; for example shell, server.start, agent.task"
                            .formatted(type));
        }
    }

    private static String ofServer(ServerStore.Target server) {
        Object spec = Json.raw(server.spec());
        return Json.text(
                Map.of(
                        "serverInstanceId",
                        server.id().value(),
                        "name",
                        server.name(),
                        "spec",
                        spec == null ? Map.of() : spec));
    }

    static Optional<ServerId> server(JsonFields job) {
        return job.optionalText("serverInstanceId").filter(id -> !id.isBlank()).map(ServerId::new);
    }
}
