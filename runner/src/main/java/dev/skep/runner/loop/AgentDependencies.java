package dev.skep.runner.loop;

import dev.skep.agents.NotificationStore;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.kernel.id.UlidSource;
import dev.skep.models.money.Budget;
import dev.skep.models.money.CountedPromptStore;
import dev.skep.models.money.OpenCallStore;
import dev.skep.runner.approval.ApprovalService;
import dev.skep.runner.command.BuiltInCommands;
import dev.skep.runner.files.ImageStore;
import dev.skep.runner.mail.UnreadMail;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.Database;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** What all loops of a runner share. */
public record AgentDependencies(
        Database database,
        LogStore log,
        RunSessionStore sessions,
        CostStore costs,
        NotificationStore notifications,
        UnreadMail unread,
        Budget budget,
        OpenCallStore openCalls,
        CountedPromptStore countedPrompts,
        ApprovalService approvals,
        BuiltInCommands builtIns,
        ImageStore images,
        Redactor redactor,
        UlidSource ids,
        InstantSource clock,
        RandomGenerator random,
        AgentListener watcher) {}
