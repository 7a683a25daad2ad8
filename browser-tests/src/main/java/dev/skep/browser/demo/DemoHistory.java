package dev.skep.browser.demo;

import dev.skep.agents.Agent;
import dev.skep.agents.cost.Cost;
import dev.skep.agents.cost.CostStore;
import dev.skep.agents.session.LogEntry;
import dev.skep.agents.session.LogStore;
import dev.skep.agents.session.RunSession;
import dev.skep.agents.session.RunSessionStore;
import dev.skep.agents.session.SessionKey;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * The past of the agents: a month of money, three sessions, a log. What pages show of one thing in
 * two places adds up.
 */
final class DemoHistory {
    private static final long LIMIT = 3_000_000;

    private final Database database;
    private final UlidSource ids;
    private final Random random;
    private final List<Line> lines = new ArrayList<>();

    /** A line that is not written yet: those of all agents are, in the order of their times. */
    private record Line(OwnRowWriter own, SessionKey session, DemoTurn.Said said, Instant at) {}

    /** An agent and where it is in its work. */
    record Subject(
            Agent agent,
            OwnRowWriter own,
            int number,
            String model,
            String state,
            Instant active) {}

    DemoHistory(Database database, UlidSource ids, Random random) {
        this.database = database;
        this.ids = ids;
        this.random = random;
    }

    /** Writes it all but the log; what the agent spent today. */
    long of(Transaction transaction, Subject subject) {
        var sessions = new RunSessionStore(database, subject.own());
        SessionKey earlier = new SessionKey(subject.agent().id(), ids.next(), 1);
        SessionKey first = new SessionKey(subject.agent().id(), ids.next(), 1);
        SessionKey second = first.next();
        Instant begun = talk(subject, second);
        long yesterday = spend(transaction, subject, first, begun.minus(Duration.ofHours(15)), 0);
        sessions.put(
                transaction,
                new RunSession(
                        first,
                        subject.model(),
                        null,
                        1_840 + subject.number() * 31L,
                        yesterday,
                        begun.minus(Duration.ofHours(24)),
                        begun.minusSeconds(40),
                        "compacted"));
        boolean ended = subject.state().equals("stopped") || subject.state().equals("failed");
        sessions.put(
                transaction,
                new RunSession(
                        second,
                        subject.model(),
                        null,
                        0,
                        0,
                        begun,
                        subject.active(),
                        ended ? (subject.state().equals("failed") ? "failed" : "complete") : null));
        long before = 0;
        for (int day = 29; day > 1; day--) {
            Instant last = subject.active().minus(Duration.ofDays(day));
            before += spend(transaction, subject, earlier, last, 0);
        }
        sessions.put(
                transaction,
                new RunSession(
                        earlier,
                        subject.model(),
                        null,
                        14_020 + subject.number() * 57L,
                        before,
                        subject.active().minus(Duration.ofDays(30)),
                        subject.active().minus(Duration.ofDays(2)),
                        "complete"));
        // The stores add money and lines to a session that runs.
        boolean over = subject.state().equals("over_budget");
        return spend(transaction, subject, second, subject.active(), over ? LIMIT : 0);
    }

    /** Micro-dollars an agent may still spend today. */
    static long left(long spent) {
        return Math.max(0, LIMIT - spent);
    }

    private long spend(
            Transaction transaction,
            Subject subject,
            SessionKey session,
            Instant last,
            long least) {
        var costs = new CostStore(database, subject.own());
        int calls = 1 + random.nextInt(3);
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            long input = 2_000L + random.nextInt(30_000);
            // A few agents do most of the work.
            long micros =
                    20_000L
                            + (long) random.nextInt(60_000)
                                    * Math.max(1, 16 - 3 * subject.number());
            // Three calls stay below the limit, unless it is to be reached.
            micros = Math.min(micros, 800_000);
            if (i == calls - 1) {
                micros = Math.max(micros, least - sum);
            }
            sum += micros;
            costs.append(
                    transaction,
                    new Cost(
                            ids.next(),
                            session,
                            "turn",
                            subject.model(),
                            micros,
                            input,
                            200 + random.nextInt(2_000),
                            random.nextInt(2_000),
                            input / 2,
                            last.minusSeconds((calls - 1 - i) * 700L)));
        }
        return sum;
    }

    /** Forty turns that end when the agent was last active; says when they began. */
    private Instant talk(Subject subject, SessionKey session) {
        Instant at = subject.active();
        List<Line> backwards = new ArrayList<>();
        if (subject.number() == DemoManagedTurn.AGENT) {
            backwards.add(new Line(subject.own(), session, DemoManagedTurn.asks(), at));
            at = at.minusSeconds(5);
        }
        for (int turn = 39; turn >= 0; turn--) {
            for (DemoTurn.Said said : turn(subject, turn).reversed()) {
                backwards.add(new Line(subject.own(), session, said, at));
                at = at.minusSeconds(1 + random.nextInt(40));
            }
        }
        lines.addAll(backwards.reversed());
        return at;
    }

    private static List<DemoTurn.Said> turn(Subject subject, int turn) {
        return subject.number() == DemoManagedTurn.AGENT
                ? DemoManagedTurn.of(turn)
                : DemoTurn.of(subject.number(), turn);
    }

    /** Writes the log of all agents. */
    void writeLog() {
        lines.sort(Comparator.comparing(Line::at));
        database.write(
                transaction -> {
                    lines.forEach(
                            line ->
                                    new LogStore(database, line.own())
                                            .append(
                                                    transaction,
                                                    List.of(
                                                            entry(
                                                                    ids.next(),
                                                                    line.session(),
                                                                    line.said(),
                                                                    line.at()))));
                    return true;
                });
        lines.clear();
    }

    static LogEntry entry(String id, SessionKey session, DemoTurn.Said said, Instant at) {
        return new LogEntry(
                id,
                session,
                said.role(),
                said.source(),
                said.type(),
                said.text(),
                said.detail(),
                at);
    }
}
