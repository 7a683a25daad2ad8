package dev.skep.runner;

import dev.skep.agents.AgentMergeStore;
import dev.skep.agents.AgentStore;
import dev.skep.agents.NotificationStore;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.mail.MailReader;
import dev.skep.agents.mail.MailStore;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.agents.version.AgentVersionStore;
import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.id.UlidSource;
import dev.skep.runner.approval.ApprovalStore;
import dev.skep.runner.hold.AgentHoldStore;
import dev.skep.store.Database;
import dev.skep.store.feed.OwnRowWriter;
import java.time.InstantSource;

/** Everything a runner keeps about agents, over one database. */
public record RunnerStores(
        AgentStore agents,
        NotificationStore notifications,
        MailStore mail,
        MailReader mailboxes,
        RunSessionStore sessions,
        LogStore log,
        CostStore costs,
        ApprovalStore approvals,
        AgentMergeStore reunions,
        AgentVersionStore versions,
        AgentHoldStore holds) {

    public static RunnerStores over(
            Database database, OwnRowWriter own, UlidSource ids, InstantSource clock) {
        AgentStore agents = new AgentStore(database, own, clock);
        return new RunnerStores(
                agents,
                new NotificationStore(database, own, clock),
                new MailStore(database, own, agents, ids, clock),
                new MailReader(database),
                new RunSessionStore(database, own),
                new LogStore(database, own),
                new CostStore(database, own),
                new ApprovalStore(database, new AuditStore(ids, clock)),
                new AgentMergeStore(database, own, ids, clock),
                new AgentVersionStore(database, own, agents, clock),
                new AgentHoldStore(database, new AuditStore(ids, clock)));
    }
}
