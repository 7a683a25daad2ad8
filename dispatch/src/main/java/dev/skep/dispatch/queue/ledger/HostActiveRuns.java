package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.kernel.identity.Principal;
import java.util.List;

/** What a host reports to be working on. */
public record HostActiveRuns(Principal.Host host, List<ActiveRun> held) {}
