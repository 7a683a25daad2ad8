package dev.skep.supervisor.source;

import dev.skep.directory.HostRow;
import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.registry.service.NodeList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** All that this process can show; what a process does not have is empty. */
public record Sources(
        Function<Principal, List<HostRow>> roster,
        HostHealthSource health,
        Optional<NodeList> nodes,
        Optional<JobSource> jobs,
        Optional<ServerSource> servers,
        Optional<LinkSource> links,
        Optional<AlertSource> alerts,
        Optional<AuditStore> audit,
        Optional<ApprovalSource> approvals,
        Optional<AgentControls> controls,
        Optional<SettingsSource> settings) {}
