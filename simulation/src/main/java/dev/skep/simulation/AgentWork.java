package dev.skep.simulation;

import static dev.skep.agents.AgentTables.CONTEXT_LOG;
import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static dev.skep.agents.AgentTables.MAIL_RECIPIENTS;
import static dev.skep.agents.AgentTables.MAIL_STATUS;
import static dev.skep.agents.AgentTables.USERS;
import static dev.skep.agents.AgentTables.USER_NOTIFICATIONS;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.simulation.MachineStore.OwnRow;
import dev.skep.simulation.MachineStore.Stored;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the agents of one host write: agents come and go, mail is sent and read, logs grow. */
final class AgentWork {
    private static final int NAMES = 4;
    private static final String TOO_LARGE = "x".repeat(1 << 21);

    private final RunnerMachine runner;
    private final World world;
    private long number;

    AgentWork(RunnerMachine runner) {
        this.runner = runner;
        this.world = runner.world;
        this.number = (runner.name.hashCode() & 0xffL) << 32;
    }

    String hostName() {
        return world.pick(4) == 0 ? "laptop" : runner.name;
    }

    void write() {
        List<OwnRow> rows = new ArrayList<>();
        int count = 1 + world.pick(3);
        for (int i = 0; i < count; i++) {
            add(rows);
        }
        if (!rows.isEmpty()) {
            boolean stored = runner.put(rows);
            world.say(
                    () ->
                            "%s writes %s%s"
                                    .formatted(
                                            runner,
                                            rows.stream().map(r -> r.table().name()).toList(),
                                            stored ? "" : ", refused"));
        }
    }

    /** Changes each agent a little. */
    void touch() {
        List<OwnRow> rows = new ArrayList<>();
        for (Stored agent : sorted(USERS)) {
            if (runner.isOwn(agent) && world.coin()) {
                rows.add(
                        new OwnRow(
                                USERS,
                                agent.row().gen(),
                                Samples.with(USERS, agent.row(), "title", "t" + number++)));
            }
        }
        if (!rows.isEmpty()) {
            runner.put(rows);
            world.say(() -> "%s changes %d agents".formatted(runner, rows.size()));
        }
    }

    private void add(List<OwnRow> rows) {
        Stored agent = anyAgent();
        if (agent == null) {
            rows.add(new OwnRow(USERS, 0, Samples.user(id(), anyName())));
            return;
        }
        switch (world.pick(12)) {
            case 0 -> rows.add(new OwnRow(USERS, 0, Samples.user(id(), anyName())));
            case 1, 2 -> change(rows, agent);
            case 3, 4, 5 -> mail(rows, agent);
            case 6, 7 -> readMail(rows, agent);
            case 8 ->
                    rows.add(
                            new OwnRow(
                                    USER_NOTIFICATIONS,
                                    agent.row().gen(),
                                    Samples.notification(userId(agent), "s" + number++)));
            case 9 -> tooLarge(agent);
            default ->
                    rows.add(
                            new OwnRow(
                                    CONTEXT_LOG,
                                    agent.row().gen(),
                                    Samples.log(id(), userId(agent), "m" + number++)));
        }
    }

    private void change(List<OwnRow> rows, Stored agent) {
        SyncRow row = agent.row();
        @Nullable Object[] values =
                switch (world.pick(4)) {
                    case 0 -> {
                        world.count(Fault.RENAME);
                        @Nullable Object[] renamed =
                                Samples.with(USERS, row, "username", anyName());
                        renamed[USERS.indexOf("name_conflict")] = 0L;
                        yield renamed;
                    }
                    case 1 -> {
                        world.count(Fault.DELETE);
                        yield Samples.with(USERS, row, "deleted_at", "2027-01-02T00:00:00.000000Z");
                    }
                    default -> Samples.with(USERS, row, "title", "t" + number++);
                };
        rows.add(new OwnRow(USERS, row.gen(), values));
    }

    private void mail(List<OwnRow> rows, Stored agent) {
        String mail = id();
        boolean poison = !world.isCalm() && world.pick(25) == 0;
        rows.add(
                new OwnRow(
                        MAIL_MESSAGES,
                        agent.row().gen(),
                        Samples.mail(
                                mail, userId(agent), poison ? Samples.POISON : "b" + number++)));
        if (runner.schema().tables().named(MAIL_RECIPIENTS.name()).isPresent()) {
            rows.add(
                    new OwnRow(
                            MAIL_RECIPIENTS,
                            agent.row().gen(),
                            Samples.recipient(id(), mail, userId(agent))));
        }
    }

    private void readMail(List<OwnRow> rows, Stored agent) {
        List<Stored> mails = sorted(MAIL_MESSAGES);
        if (!mails.isEmpty()) {
            String mail = mails.get(world.pick(mails.size())).row().text(0);
            rows.add(
                    new OwnRow(
                            MAIL_STATUS,
                            agent.row().gen(),
                            Samples.status(id(), mail, userId(agent), "r" + number++)));
        }
    }

    private void tooLarge(Stored agent) {
        if (world.pick(50) == 0) {
            world.count(Fault.OVERSIZED_ROW);
            @Nullable Object[] log = Samples.log(id(), userId(agent), TOO_LARGE);
            if (runner.put(List.of(new OwnRow(CONTEXT_LOG, 0, log)))) {
                throw new Violation("a row too large to travel was stored");
            }
        }
    }

    private @Nullable Stored anyAgent() {
        List<Stored> own =
                sorted(USERS).stream()
                        .filter(runner::isOwn)
                        .filter(s -> s.row().value(USERS.indexOf("deleted_at")) == null)
                        .toList();
        return own.isEmpty() ? null : own.get(world.pick(own.size()));
    }

    /** In an order that every kind of database gives. */
    private List<Stored> sorted(SyncTable table) {
        List<Stored> rows = runner.store.rows(table);
        rows.sort(Comparator.comparing(stored -> MemoryState.key(table, stored.row())));
        return rows;
    }

    private static String userId(Stored agent) {
        return agent.row().text(0);
    }

    private String anyName() {
        return "agent" + world.pick(NAMES);
    }

    private String id() {
        return Samples.id(runner.millis(), number++);
    }
}
