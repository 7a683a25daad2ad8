package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.util.List;
import java.util.Optional;

/** The roster and its history. */
public interface NodeSource {
    List<NodeView> all(Principal principal);

    /** The newest connects and disconnects of a node before an id, newest first. */
    List<ConnectionView> connections(
            Principal principal, String host, String node, Optional<String> before, int limit);
}
