package dev.skep.supervisor.view;

import dev.skep.dispatch.hold.HoldView;
import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What stops all agents, as the banner on every page shows it. */
public record HoldRow(
        String id,
        boolean held,
        int agents,
        @Nullable String by,
        @Nullable String reason,
        @Nullable Instant since,
        List<HoldView.HostOnHold> hosts)
        implements Keyed {
    private static final String ID = "hold";

    /** Empty where all agents may work. */
    static Optional<HoldRow> of(HoldView view) {
        return view.over()
                ? Optional.empty()
                : Optional.of(
                        new HoldRow(
                                ID,
                                view.held(),
                                view.agents(),
                                view.by(),
                                view.reason(),
                                view.since(),
                                view.hosts()));
    }
}
