package dev.skep.app.retention;

import dev.skep.dispatch.alert.AlertCondition;
import dev.skep.dispatch.alert.AlertConditionSource;
import dev.skep.dispatch.alert.AlertKind;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import dev.skep.store.clock.RetentionClock;
import dev.skep.sync.sql.RetentionStore;
import dev.skep.sync.sql.RetentionStore.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Rows of a hub's database that are purged too late or too early, and decisions about its clock
 * that wait for a person. Runners report their own.
 */
public final class RetentionBehindConditions implements AlertConditionSource {
    private final OrgId org;
    private final SizeLimitPurges sizeLimitPurges;

    public RetentionBehindConditions(OrgId org, SizeLimitPurges sizeLimitPurges) {
        this.org = org;
        this.sizeLimitPurges = sizeLimitPurges;
    }

    @Override
    public AlertKind kind() {
        return AlertKind.RETENTION_BEHIND;
    }

    @Override
    public List<AlertCondition> now(Snapshot snapshot) {
        List<AlertCondition> alertConditions = new ArrayList<>();
        List<Backlog> backlog = RetentionStore.backlog(snapshot);
        String waiting = tables(backlog, Backlog::waiting);
        if (!waiting.isEmpty()) {
            alertConditions.add(
                    certain(
                            "hub:waiting",
                            "More rows are old than one hour may purge: %s. If that is no mistake, they are purged hour by hour; 'skep retention' shows the progress."
                                    .formatted(waiting)));
        }
        String notPulled = tables(backlog, Backlog::notPulled);
        if (!notPulled.isEmpty()) {
            alertConditions.add(
                    certain(
                            "hub:not_taken",
                            "Old rows of this hub stay, since a hub that it joins has not taken them: %s. 'skep sync' and 'skep quarantine' show why."
                                    .formatted(notPulled)));
        }
        Duration held = Duration.ofMillis(RetentionClock.read(snapshot).held());
        if (!held.isZero()) {
            alertConditions.add(
                    certain(
                            "hub:clock",
                            "The hub's clock jumped over %d days that its rows have not aged by. Say with 'skep retention' whether they passed."
                                    .formatted(held.toDays())));
        }
        alertConditions.addAll(cut());
        return alertConditions;
    }

    /** Until this process has had a round, it does not know that the last one's trouble is over. */
    private List<AlertCondition> cut() {
        OptionalLong last = sizeLimitPurges.last();
        if (last.isPresent() && last.getAsLong() == 0) {
            return List.of();
        }
        return List.of(
                new AlertCondition(
                        org,
                        "hub:size",
                        "The database has outgrown --keep-size: the oldest %,d rows went before their time, taken by hubs or not."
                                .formatted(last.orElse(0)),
                        last.isPresent()));
    }

    private AlertCondition certain(String subject, String message) {
        return new AlertCondition(org, subject, message, true);
    }

    private static String tables(List<Backlog> backlog, ToLongFunction<Backlog> rows) {
        return backlog.stream()
                .filter(each -> rows.applyAsLong(each) > 0)
                .map(each -> "%,d of %s".formatted(rows.applyAsLong(each), each.table()))
                .collect(Collectors.joining(", "));
    }
}
