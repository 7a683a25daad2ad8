package dev.skep.dispatch.hold;

import dev.skep.kernel.identity.Principal;
import java.util.Map;

/** How many agents there are, which another feature knows. */
@FunctionalInterface
public interface AgentCounts {
    /** For each host of the caller's org that has some, by the host's id. */
    Map<String, Integer> byHost(Principal who);
}
