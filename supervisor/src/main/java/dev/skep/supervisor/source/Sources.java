package dev.skep.supervisor.source;

import java.util.Optional;

/** All that this process can show; what a process does not have is empty. */
public record Sources(
        HostSource roster,
        HostHealthSource health,
        Optional<NodeSource> nodes,
        Optional<JobSource> jobs,
        Optional<ServerSource> servers,
        Optional<LinkSource> links,
        Optional<AlertSource> alerts,
        Optional<AuditSource> audit,
        Optional<ApprovalSource> approvals,
        Optional<AgentControls> controls,
        Optional<SettingsSource> settings) {

    /** A process that knows its hosts and agents and nothing else. */
    public static Sources of(HostSource hostSource, HostHealthSource health) {
        return new Sources(
                hostSource,
                health,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
