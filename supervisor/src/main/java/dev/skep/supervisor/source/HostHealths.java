package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.util.List;

/** Tells how the hosts of an org are. */
@FunctionalInterface
public interface HostHealths {
    List<HostHealth> of(Principal principal);
}
