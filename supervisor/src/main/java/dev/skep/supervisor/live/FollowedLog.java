package dev.skep.supervisor.live;

import dev.skep.kernel.id.Keyed;
import java.util.List;

/** A log that a stream follows beside its topics. */
@FunctionalInterface
public interface FollowedLog {
    /** Lines after this id, in order, up to the limit. */
    List<? extends Keyed> after(String line, int limit);
}
