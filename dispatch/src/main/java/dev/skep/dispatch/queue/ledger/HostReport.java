package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.queue.RunReport;
import dev.skep.kernel.identity.Principal;

/** A report and the host that made it. */
public record HostReport(Principal.Host host, RunReport report) {}
