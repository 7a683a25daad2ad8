package dev.skep.runner.managed;

import dev.skep.agents.AgentStatus;
import dev.skep.runner.acp.PermissionOutcome;
import dev.skep.runner.acp.PermissionRequest;
import dev.skep.runner.acp.PermissionRequest.Kind;
import dev.skep.runner.approval.Approval;
import dev.skep.runner.approval.Protection;
import dev.skep.runner.loop.AgentDependencies;
import dev.skep.runner.loop.AgentPresence;
import dev.skep.runner.loop.LogEntryDraft;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers a runtime that asks whether it may use a tool: by the agent's lists, else by a person.
 * Our own tools need neither, since they themselves know what the agent may. Thread-safe; a request
 * waits on the thread it came on.
 */
final class PermissionHandler {
    private final AgentDependencies agentDependencies;
    private final ManagedSetup setup;
    private final AgentPresence presence;
    private final Protection protection;
    private final Consumer<String> toldLater;
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * Waits for requests.
     *
     * @param toldLater takes what the agent is to hear with its next prompt
     */
    PermissionHandler(
            AgentDependencies agentDependencies,
            ManagedSetup setup,
            AgentPresence presence,
            Consumer<String> toldLater) {
        this.agentDependencies = agentDependencies;
        this.setup = setup;
        this.presence = presence;
        this.protection = setup.source().content().protectionRules();
        this.toldLater = toldLater;
    }

    Protection protection() {
        return protection;
    }

    PermissionOutcome decide(PermissionRequest request, ManagedLog log, Path folder)
            throws InterruptedException {
        if (log.isReplay() || setup.controls().heldWhy() != null) {
            return new PermissionOutcome.Cancelled();
        }
        ToolUse use = log.asked(request.toolCall());
        ToolAction deed =
                SkepToolDetector.in(request, use)
                        .map(ToolAction::ofOwn)
                        .orElseGet(() -> ToolAction.of(use, folder));
        return switch (deed.verdict(protection)) {
            case Protection.Verdict.Refuse(var rule) -> {
                String why = "'%s' never runs here".formatted(rule);
                log.write(LogEntryDraft.notice("denied: %s, says deny".formatted(why)));
                toldLater.accept("%s was denied: %s.".formatted(shortened(deed), why));
                yield no(request);
            }
            case Protection.Verdict.Run() -> yes(request);
            case Protection.Verdict.Ask() -> byAPerson(request, log, use, deed);
        };
    }

    private PermissionOutcome byAPerson(
            PermissionRequest request, ManagedLog log, ToolUse use, ToolAction deed)
            throws InterruptedException {
        Instant now = agentDependencies.clock().instant();
        String id = String.valueOf(use.logId());
        String shown = agentDependencies.redactor().redact(deed.shown());
        Approval requested =
                agentDependencies
                        .approvals()
                        .request(
                                setup.principal(),
                                Approval.asked(
                                        id,
                                        setup.agent().id(),
                                        shown,
                                        PermissionDetail.of(
                                                use, request, agentDependencies.redactor()),
                                        now,
                                        agentDependencies
                                                .approvals()
                                                .expiry(
                                                        now,
                                                        setup.source()
                                                                .content()
                                                                .approvalTimeout())));
        waiting.incrementAndGet();
        presence.tell(AgentStatus.AWAITING_APPROVAL, shown, id);
        @Nullable Approval decided = null;
        try {
            agentDependencies.approvals().await(requested);
            decided = agentDependencies.approvals().conclude(setup.principal(), requested);
        } finally {
            // First the log: whoever is told that it waits no longer can read why.
            if (decided == null) {
                Thread.interrupted();
                decided =
                        agentDependencies
                                .approvals()
                                .withdraw(setup.principal(), requested, "the turn ended");
            }
            log.write(LogEntryDraft.decision(decided));
            if (waiting.decrementAndGet() == 0) {
                presence.tell(AgentStatus.ACTIVE, "", id);
            }
        }
        if (setup.controls().heldWhy() != null) {
            return new PermissionOutcome.Cancelled();
        }
        return decided.line().approved() ? yes(request) : denied(request, decided, deed);
    }

    private PermissionOutcome denied(PermissionRequest request, Approval decided, ToolAction deed) {
        toldLater.accept("%s: %s".formatted(shortened(deed), decided.refusal()));
        return no(request);
    }

    private static String shortened(ToolAction deed) {
        return "'%s'".formatted(TextTruncator.cut(deed.shown().replace('\n', ' '), 200));
    }

    /** By the meaning of the options: their places and ids mean nothing. */
    private static PermissionOutcome yes(PermissionRequest request) {
        return request.choose(Kind.ALLOW_ONCE, Kind.ALLOW_ALWAYS);
    }

    private static PermissionOutcome no(PermissionRequest request) {
        return request.choose(Kind.REJECT_ONCE);
    }
}
