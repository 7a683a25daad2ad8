package dev.skep.app.adapter;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.job.JobKind;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.ActionResult;
import dev.skep.runner.AgentService;
import dev.skep.runner.ChangeOrigin;
import dev.skep.runner.FileChangeResult;
import dev.skep.runner.agent.AgentFileCheck;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.ResultStatus;
import dev.skep.worker.AssignedRun;
import dev.skep.worker.JobResult;
import dev.skep.worker.JobType;
import dev.skep.worker.RunOutput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes, changes, removes and restores agents of this host for people at a hub. */
public final class AgentFileJobs implements JobType {
    private final AgentService agentService;

    public AgentFileJobs(AgentService agentService) {
        this.agentService = agentService;
    }

    @Override
    public Set<JobKind> kinds() {
        return Set.of(
                JobKind.AGENT_CREATE,
                JobKind.AGENT_EDIT,
                JobKind.AGENT_REMOVE,
                JobKind.AGENT_RESTORE);
    }

    @Override
    public JobResult run(AssignedRun run, RunOutput output) throws InterruptedException {
        JsonFields payload = run.payload();
        ChangeOrigin origin =
                new ChangeOrigin(
                        payload.optionalText("by").orElse("somebody"),
                        run.hub(),
                        payload.optionalText("reason").orElse(null),
                        run.jobId());
        String agent = payload.optionalText("agentId").orElseGet(() -> payload.text("agent"));
        return switch (run.type()) {
            case "agent.create" -> create(file(payload), origin);
            case "agent.edit" -> edit(agent, payload, origin);
            case "agent.remove" -> remove(agent, payload);
            default -> restored(agent);
        };
    }

    private static String file(JsonFields payload) {
        return payload.longText("file", AgentFileCheck.LONGEST);
    }

    private JobResult create(String text, ChangeOrigin origin) {
        FileChangeResult result = agentService.files().create(text, origin);
        if (result instanceof FileChangeResult.Done(var agent, _, _)) {
            agentService.startIfDue(agent.username());
        }
        return reported(result);
    }

    private JobResult edit(String agent, JsonFields payload, ChangeOrigin origin) {
        FileChangeResult result =
                agentService.files().edit(agent, payload.text("version"), file(payload), origin);
        if (payload.flag("restart") && result instanceof FileChangeResult.Done(var found, _, _)) {
            agentService.restart(found.username());
        }
        return reported(result);
    }

    private JobResult remove(String agent, JsonFields payload) throws InterruptedException {
        Optional<Agent> found = found(agent);
        if (found.isPresent() && !found.get().isLive()) {
            return done(found.get(), "%s is removed".formatted(found.get().username()));
        }
        Optional<FileChangeResult> stale =
                agentService.files().staleFor(agent, payload.text("version"));
        if (stale.isPresent()) {
            return reported(stale.get());
        }
        return acted(found, agentService.remove(name(found, agent), payload.flag("discardWork")));
    }

    private JobResult restored(String agent) {
        Optional<Agent> found = found(agent);
        if (found.isPresent() && found.get().isLive()) {
            return done(found.get(), "%s is there".formatted(found.get().username()));
        }
        ActionResult restored = agentService.restore(name(found, agent));
        if (restored instanceof ActionResult.Done) {
            agentService.startIfDue(name(found, agent));
        }
        return acted(found, restored);
    }

    private Optional<Agent> found(String agent) {
        return agentService.files().present(agent).map(FileChangeResult.Done::agent);
    }

    /** Actions know agents by their names. */
    private static String name(Optional<Agent> found, String asked) {
        return found.map(Agent::username).orElse(asked);
    }

    private static JobResult acted(Optional<Agent> found, ActionResult result) {
        return result instanceof ActionResult.Done && found.isPresent()
                ? done(found.get(), result.message())
                : JobResult.failed(result.message());
    }

    private static JobResult done(Agent agent, String message) {
        return JobResult.succeeded(Map.of("message", message, "agent", agent.id().value()));
    }

    /** What the hub reads of it, and people see at the job. */
    static JobResult reported(FileChangeResult result) {
        return switch (result) {
            case FileChangeResult.Done(var agent, var version, var message) -> {
                Map<String, Object> detail = new LinkedHashMap<>();
                detail.put("message", message);
                detail.put("agent", agent.id().value());
                detail.put("version", shown(version, false));
                yield JobResult.succeeded(detail);
            }
            case FileChangeResult.Stale(var newest) ->
                    failed(
                            ErrorCode.VERSION_CHANGED,
                            "the file is at version %d by now; look at it and try again"
                                    .formatted(newest.number()),
                            Map.of("version", shown(newest, true)));
            case FileChangeResult.Invalid(var problems) ->
                    failed(
                            ErrorCode.INVALID_AGENT_FILE,
                            problems.getFirst().toString(),
                            Map.of("problems", shown(problems)));
            case FileChangeResult.Refused(var code, var why) -> failed(code, why, Map.of());
        };
    }

    private static JobResult failed(ErrorCode code, String error, Map<String, ?> more) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("error", error);
        detail.put("code", code.code());
        detail.putAll(more);
        return new JobResult(ResultStatus.FAILED, detail);
    }

    private static Map<String, Object> shown(AgentVersion version, boolean withFile) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("number", version.number());
        fields.put("version", version.tag());
        if (version.author() != null) {
            fields.put("author", version.author());
        }
        if (version.reason() != null) {
            fields.put("reason", version.reason());
        }
        if (withFile) {
            fields.put("file", version.content());
        }
        fields.put("createdAt", version.createdAt());
        return fields;
    }

    private static List<Map<String, Object>> shown(List<YamlProblem> problems) {
        return problems.stream()
                .map(
                        problem ->
                                Map.<String, Object>of(
                                        "line",
                                        problem.line(),
                                        "column",
                                        problem.column(),
                                        "key",
                                        problem.key(),
                                        "message",
                                        problem.message()))
                .toList();
    }
}
