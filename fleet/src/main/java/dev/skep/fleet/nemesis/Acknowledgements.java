package dev.skep.fleet.nemesis;

import dev.skep.transport.route.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The ledger of what clients were promised. A thing is known by its kind, who was asked for it and
 * its name, which its client never gives twice; of each it holds the states in which it may be now:
 * one after an answer, several after a call that was never answered. Thread-safe; every entry is a
 * line of the history file, too.
 */
final class Acknowledgements implements AutoCloseable {
    /** The state of what is not there. */
    static final String ABSENT = "absent";

    /** The state of what is there and has no other. */
    static final String THERE = "there";

    private final long begin = System.nanoTime();
    private final BufferedWriter history;
    private final Map<Thing, Set<String>> states = new LinkedHashMap<>();
    private final Map<String, Integer> calls = new TreeMap<>();
    private boolean closed;

    /** Kinds of things that clients ask for. */
    enum Kind {
        MAIL,
        JOB,
        AGENT,
        OPERATOR,
        NODE
    }

    /**
     * Something a client asked for.
     *
     * @param asked the process that was asked for it
     */
    record Thing(Kind kind, String asked, String name) {
        @Override
        public String toString() {
            return "%s %s of %s".formatted(kind.name().toLowerCase(Locale.ROOT), name, asked);
        }
    }

    Acknowledgements(Path file) {
        try {
            history = Files.newBufferedWriter(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Notes what came of asking for a thing to be in a state, and says the same again. */
    synchronized CallOutcome note(Thing thing, String state, CallOutcome callOutcome) {
        Set<String> now = states.getOrDefault(thing, Set.of(ABSENT));
        switch (callOutcome) {
            case CallOutcome.Yes _ -> now = Set.of(state);
            case CallOutcome.Unknown _ -> {
                now = new TreeSet<>(now);
                now.add(state);
            }
            case CallOutcome.No _ -> states.putIfAbsent(thing, now);
            case CallOutcome.NotSent _ -> states.putIfAbsent(thing, now);
        }
        states.put(thing, now);
        String outcome = callOutcome.getClass().getSimpleName().toLowerCase(Locale.ROOT);
        calls.merge(outcome, 1, Integer::sum);
        write(
                "call",
                Map.of(
                        "thing",
                        thing.toString(),
                        "state",
                        state,
                        "outcome",
                        outcome,
                        "said",
                        callOutcome instanceof CallOutcome.Yes ? "" : callOutcome.toString()));
        return callOutcome;
    }

    /** A line of the history that is no call. */
    synchronized void record(String what) {
        write("event", Map.of("what", what));
    }

    private void write(String type, Map<String, String> fields) {
        if (closed) {
            return;
        }
        Map<String, Object> line = new TreeMap<>(fields);
        line.put("type", type);
        line.put("ms", Duration.ofNanos(System.nanoTime() - begin).toMillis());
        try {
            history.write(Json.text(line));
            history.newLine();
            history.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Everything of a kind that was ever asked for, with the states it may be in. */
    synchronized Map<Thing, Set<String>> all(Kind kind) {
        Map<Thing, Set<String>> found = new LinkedHashMap<>();
        states.forEach(
                (thing, possible) -> {
                    if (thing.kind() == kind) {
                        found.put(thing, Set.copyOf(possible));
                    }
                });
        return found;
    }

    /** The states a thing may be in. */
    synchronized Set<String> of(Thing thing) {
        return Set.copyOf(states.getOrDefault(thing, Set.of(ABSENT)));
    }

    /** How many are certainly there, by kind. */
    synchronized Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Kind kind : Kind.values()) {
            List<Set<String>> certain =
                    all(kind).values().stream().filter(set -> !set.contains(ABSENT)).toList();
            counts.put(kind.name().toLowerCase(Locale.ROOT), certain.size());
        }
        return counts;
    }

    /** How many calls were answered with yes, with no, or not at all. */
    synchronized Map<String, Integer> calls() {
        return new TreeMap<>(calls);
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        history.close();
    }
}
