package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.util.List;

/** Server instances on all hosts. */
@FunctionalInterface
public interface ServerSource {
    List<ServerView> all(Principal principal);
}
