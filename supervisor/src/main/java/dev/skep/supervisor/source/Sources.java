package dev.skep.supervisor.source;

import java.util.Optional;

/** All that this process can show; what a process does not have is empty. */
public record Sources(
        HostRoster roster,
        HostHealths health,
        Optional<Nodes> nodes,
        Optional<Jobs> jobs,
        Optional<Servers> servers,
        Optional<Links> links,
        Optional<Alerts> alerts,
        Optional<Audit> audit,
        Optional<Approvals> approvals,
        Optional<AgentControls> controls,
        Optional<Settings> settings) {

    /** A process that knows its hosts and agents and nothing else. */
    public static Sources of(HostRoster roster, HostHealths health) {
        return new Sources(
                roster,
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
