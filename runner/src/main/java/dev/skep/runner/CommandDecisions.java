package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AllowRule;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.ApprovalChoice;
import dev.skep.runner.approval.Decider;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides about commands that wait. A yes for always is a rule in the agent's file before it is a
 * decision: what a person was told holds for always is never only for once.
 */
final class CommandDecisions {
    private final Runner runner;
    private final AgentFolder folder;

    CommandDecisions(Runner runner, AgentFolder folder) {
        this.runner = runner;
        this.folder = folder;
    }

    ActionResult decide(
            Decider who, ApprovalId id, ApprovalChoice choice, @Nullable String reason) {
        return switch (choice) {
            case ONCE -> decided(who, id, choice, null, "approved");
            case ALWAYS -> always(who, id);
            case DENY -> decided(who, id, choice, reason, "denied");
        };
    }

    private ActionResult decided(
            Decider who,
            ApprovalId id,
            ApprovalChoice choice,
            @Nullable String reason,
            String message) {
        String told = reason == null ? null : runner.redactor().redact(reason);
        return runner.approvalService().decide(who, id, choice, told)
                ? new ActionResult.Done(message)
                : gone(who.actor().principal(), id);
    }

    /** One at a time: two yeses for one agent change one file. */
    private synchronized ActionResult always(Decider who, ApprovalId id) {
        Principal principal = who.actor().principal();
        Optional<Approval> waiting =
                runner.stores()
                        .approvals()
                        .find(principal, id.value())
                        .filter(each -> each.decision() == Approval.Decision.PENDING);
        if (waiting.isEmpty()) {
            return gone(principal, id);
        }
        Optional<Agent> agent = runner.stores().agents().byId(principal, waiting.get().agent());
        Optional<String> problem =
                agent.flatMap(each -> allow(who, each, waiting.get().command()))
                        .or(
                                () ->
                                        agent.isPresent()
                                                ? Optional.empty()
                                                : Optional.of("its agent is not known here"));
        if (problem.isPresent()) {
            return new ActionResult.Refused(problem.get());
        }
        return decided(
                who,
                id,
                ApprovalChoice.ALWAYS,
                null,
                "approved; the file of %s allows it from now on"
                        .formatted(agent.orElseThrow().username()));
    }

    /** Writes the rule and lets the agent that runs know it; returns why it cannot, if so. */
    private Optional<String> allow(Decider who, Agent agent, String command) {
        return runner.files().change(() -> allowed(who, agent, command));
    }

    private Optional<String> allowed(Decider who, Agent agent, String command) {
        ChangeOrigin origin =
                new ChangeOrigin(
                        who.told()
                                .map(Decider.ReportedDecider::by)
                                .orElse(who.actor().principal().label()),
                        who.told().map(Decider.ReportedDecider::hub).orElse(null),
                        "allowed always: " + command,
                        null);
        Optional<String> problem =
                folder.read().agents().stream()
                        .filter(each -> each.username().equals(agent.username()))
                        .findFirst()
                        .map(
                                each ->
                                        new AllowRule(command)
                                                .writeInto(
                                                        each.file(),
                                                        text ->
                                                                runner.files()
                                                                        .announce(
                                                                                each.path(),
                                                                                agent.id(),
                                                                                text,
                                                                                origin)))
                        .orElse(
                                Optional.of(
                                        "the file of %s cannot be read; 'skep agents check' says why"
                                                .formatted(agent.username())));
        if (problem.isEmpty()) {
            runner.reload();
            runner.atWork()
                    .named(agent.username())
                    .ifPresent(each -> each.run().protection().alsoAllow(command));
        }
        return problem;
    }

    private ActionResult gone(Principal principal, ApprovalId id) {
        return new ActionResult.Refused(
                runner.stores().approvals().find(principal, id.value()).isPresent()
                        ? "someone else decided first"
                        : "no command waits for approval under '%s'; 'skep approvals' lists them"
                                .formatted(id));
    }
}
