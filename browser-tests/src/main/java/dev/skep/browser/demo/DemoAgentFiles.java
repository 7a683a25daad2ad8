package dev.skep.browser.demo;

import dev.skep.agents.Agent;
import dev.skep.agents.version.AgentVersion;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.AgentFiles;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes the files of made-up agents at once. A file with {@code modle:} in it cannot be used; one
 * with {@code slow} in it waits for its host.
 */
final class DemoAgentFiles implements AgentFiles {
    private static final String WRONG = "modle:";

    private final DemoRows rows;
    private final List<DemoHost> hosts;

    DemoAgentFiles(DemoRows rows, List<DemoHost> hosts) {
        this.rows = rows;
        this.hosts = hosts;
    }

    @Override
    public List<FileProblem> problems(@Nullable String username, String file) {
        List<String> lines = file.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(WRONG)) {
                return List.of(
                        new FileProblem(i + 1, 1, "modle", "unknown key; did you mean model?"));
            }
        }
        return List.of();
    }

    @Override
    public Outcome create(Actor actor, Creation creation) {
        List<FileProblem> problems = problems(null, creation.file());
        return problems.isEmpty()
                ? new Outcome.Refused(ErrorCode.CONFLICT, "there is an agent of that name already")
                : new Outcome.Invalid(problems);
    }

    @Override
    public Outcome change(Actor actor, Agent agent, Change change) {
        String host = agent.host().value();
        if (!(change instanceof Change.Edit edit)) {
            return new Outcome.Done(agent.id().value(), host, null, "done");
        }
        List<FileProblem> problems = problems(agent.username(), edit.file());
        if (!problems.isEmpty()) {
            return new Outcome.Invalid(problems);
        }
        AgentVersion newest = rows.newest(agent).orElseThrow();
        if (!newest.tag().equals(edit.version())) {
            return new Outcome.Stale(shown(newest));
        }
        if (edit.file().contains("slow")) {
            return new Outcome.Pending(host, "01JOB");
        }
        rows.configure(agent, edit.file());
        return new Outcome.Done(
                agent.id().value(),
                host,
                shown(rows.newest(agent).orElseThrow()),
                agent.username() + " is changed");
    }

    private static FileVersion shown(AgentVersion version) {
        return new FileVersion(
                version.number(),
                version.tag(),
                version.author(),
                version.reason(),
                version.content(),
                version.createdAt());
    }

    @Override
    public List<PendingChange> pending(Principal who, Optional<String> host) {
        return rows.pendingAgent()
                .filter(agent -> host.filter(id -> !id.equals(agent.host().value())).isEmpty())
                .map(
                        agent ->
                                List.of(
                                        new PendingChange(
                                                "01JOB",
                                                "agent.edit",
                                                agent.host().value(),
                                                agent.username(),
                                                agent.id().value(),
                                                "operator maria",
                                                "a shorter prompt",
                                                Instant.EPOCH)))
                .orElse(List.of());
    }

    @Override
    public List<HostChoice> hosts(Principal who, Optional<String> where) {
        return hosts.stream()
                .map(
                        host ->
                                new HostChoice(
                                        host.id(),
                                        host.name(),
                                        1,
                                        host.isThere() ? null : "is not connected"))
                .toList();
    }
}
