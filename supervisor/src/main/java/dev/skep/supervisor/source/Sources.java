package dev.skep.supervisor.source;

import dev.skep.directory.HostRow;
import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.registry.service.NodeList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a process knows beside the tables that every database has; what it does not have is empty.
 *
 * @param dispatches whether the database is a hub's, which has jobs, servers and alerts
 */
public record Sources(
        Function<Principal, List<HostRow>> roster,
        HostHealthSource health,
        NodeList nodes,
        boolean dispatches,
        Optional<LinkSource> links,
        AuditStore audit,
        Optional<ApprovalSource> approvals,
        Optional<AgentControls> controls,
        Optional<AgentFiles> files,
        Optional<SettingsSource> settings) {}
