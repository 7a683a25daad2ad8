package dev.skep.dispatch.alert;

import dev.skep.store.Database;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps alerts in step with what other features say is wrong: each trouble is told once. */
public final class TroubleWatch {
    private final Database database;
    private final AlertBook book;
    private final AlertStore alerts;
    private final List<Troubles> sources;
    private final InstantSource clock;

    public TroubleWatch(
            Database database,
            AlertBook book,
            AlertStore alerts,
            List<Troubles> sources,
            InstantSource clock) {
        this.database = database;
        this.book = book;
        this.alerts = alerts;
        this.sources = List.copyOf(sources);
        this.clock = clock;
    }

    /** Looks once; returns how many alerts began or ended. */
    public int look() {
        return sources.stream().mapToInt(this::look).sum();
    }

    private record Change(List<Trouble> begun, List<AlertStore.Subject> over) {
        int size() {
            return begun.size() + over.size();
        }
    }

    private int look(Troubles source) {
        Change change =
                database.read(
                        snapshot ->
                                change(source.now(snapshot), alerts.open(snapshot, source.kind())));
        return change.size() == 0 ? 0 : write(source.kind(), change);
    }

    private static Change change(List<Trouble> now, Set<AlertStore.Subject> open) {
        Set<AlertStore.Subject> still =
                now.stream().map(TroubleWatch::subject).collect(Collectors.toSet());
        return new Change(
                now.stream()
                        .filter(trouble -> trouble.certain() && !open.contains(subject(trouble)))
                        .toList(),
                open.stream().filter(subject -> !still.contains(subject)).toList());
    }

    private int write(AlertKind kind, Change change) {
        return database.write(
                transaction -> {
                    for (Trouble each : change.begun()) {
                        book.raise(transaction, each.org(), kind, each.subject(), each.message());
                    }
                    for (AlertStore.Subject each : change.over()) {
                        alerts.resolve(
                                transaction, each.org(), kind, each.subject(), clock.instant());
                    }
                    return change.size();
                });
    }

    private static AlertStore.Subject subject(Trouble trouble) {
        return new AlertStore.Subject(trouble.org(), trouble.subject());
    }
}
