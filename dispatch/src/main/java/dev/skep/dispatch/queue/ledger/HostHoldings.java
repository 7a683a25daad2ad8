package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.queue.Holding;
import dev.skep.kernel.identity.Principal;
import java.util.List;

/** What a host says it is working on. */
public record HostHoldings(Principal.Host host, List<Holding> held) {}
