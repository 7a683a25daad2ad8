package dev.skep.supervisor.source;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A managed process on a host. */
public record ServerView(
        String id, String name, String host, String state, @Nullable String command, Instant since)
        implements Keyed {

    public ServerView withState(String other) {
        return new ServerView(id, name, host, other, command, since);
    }
}
