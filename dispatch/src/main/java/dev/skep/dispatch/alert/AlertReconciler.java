package dev.skep.dispatch.alert;

import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps alerts in step with the conditions that other features report: each condition is reported
 * once.
 */
public final class AlertReconciler {
    private final Database database;
    private final AlertService alertService;
    private final AlertStore alerts;
    private final Map<AlertKind, List<AlertConditionSource>> sources;
    private final InstantSource clock;

    public AlertReconciler(
            Database database,
            AlertService alertService,
            AlertStore alerts,
            List<AlertConditionSource> sources,
            InstantSource clock) {
        this.database = database;
        this.alertService = alertService;
        this.alerts = alerts;
        this.sources =
                sources.stream()
                        .collect(
                                Collectors.groupingBy(
                                        AlertConditionSource::kind,
                                        () -> new EnumMap<>(AlertKind.class),
                                        Collectors.toList()));
        this.clock = clock;
    }

    /** Looks once; returns how many alerts began or ended. */
    public int reconcile() {
        return sources.entrySet().stream()
                .mapToInt(each -> reconcile(each.getKey(), each.getValue()))
                .sum();
    }

    private record Change(List<AlertCondition> begun, List<AlertStore.Subject> over) {
        int size() {
            return begun.size() + over.size();
        }
    }

    private int reconcile(AlertKind kind, List<AlertConditionSource> of) {
        Change change =
                database.read(snapshot -> change(now(of, snapshot), alerts.open(snapshot, kind)));
        return change.size() == 0 ? 0 : write(kind, change);
    }

    private static List<AlertCondition> now(List<AlertConditionSource> of, Snapshot snapshot) {
        return of.stream().flatMap(source -> source.now(snapshot).stream()).toList();
    }

    private static Change change(List<AlertCondition> now, Set<AlertStore.Subject> open) {
        Set<AlertStore.Subject> still =
                now.stream().map(AlertReconciler::subject).collect(Collectors.toSet());
        return new Change(
                now.stream()
                        .filter(
                                alertCondition ->
                                        alertCondition.certain()
                                                && !open.contains(subject(alertCondition)))
                        .toList(),
                open.stream().filter(subject -> !still.contains(subject)).toList());
    }

    private int write(AlertKind kind, Change change) {
        return database.write(
                transaction -> {
                    int begun = 0;
                    for (AlertCondition each : change.begun()) {
                        if (kind.isOnce()
                                && alerts.isKnown(transaction, each.org(), kind, each.subject())) {
                            continue;
                        }
                        alertService.raise(
                                transaction, each.org(), kind, each.subject(), each.message());
                        begun++;
                    }
                    for (AlertStore.Subject each : change.over()) {
                        alerts.resolve(
                                transaction, each.org(), kind, each.subject(), clock.instant());
                    }
                    return begun + change.over().size();
                });
    }

    private static AlertStore.Subject subject(AlertCondition alertCondition) {
        return new AlertStore.Subject(alertCondition.org(), alertCondition.subject());
    }
}
