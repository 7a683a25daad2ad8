package dev.skep.simulation.money;

import dev.skep.dispatch.budget.BudgetScope;
import dev.skep.dispatch.budget.SharedBudget;
import dev.skep.kernel.id.OrgId;
import dev.skep.wire.call.BudgetAnswer;
import dev.skep.wire.call.BudgetExchange;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A hub, three hosts and what goes wrong between them, by one seed. */
final class MoneyWorld {
    static final long WINDOW = 600_000;
    static final long LASTS = WINDOW / 4;
    private static final long FAULTS_END = 7 * WINDOW;
    private static final long CALM = 2 * (WINDOW + LASTS);
    private static final long TIMEOUT = 15_000;

    private static final List<MoneyFault> OF_HOSTS =
            List.of(
                    MoneyFault.HOST_KILLED,
                    MoneyFault.HOST_REBOOTED,
                    MoneyFault.HOST_RESTORED,
                    MoneyFault.HOST_WIPED,
                    MoneyFault.HOST_PAUSED,
                    MoneyFault.HOST_RESUMED_IN_THE_PAST,
                    MoneyFault.HOST_CLOCK_SET,
                    MoneyFault.PARTITION);
    private static final List<MoneyFault> OF_THE_HUB =
            List.of(
                    MoneyFault.HUB_KILLED,
                    MoneyFault.HUB_REBOOTED,
                    MoneyFault.HUB_RESTORED,
                    MoneyFault.HUB_CLOCK_SET);

    private record Event(long at, long order, Runnable action) {}

    private final Random random;
    private final @Nullable PrintWriter story;
    private final SpendingOracle oracle = new SpendingOracle(WINDOW);
    private final SharedBudget org = budget("org", BudgetScope.ORG, "", 1_000);
    private final SharedBudget team = budget("team", BudgetScope.LABEL, SimulatedLender.LABEL, 600);
    private final SimulatedLender hub;
    private final List<SimulatedSpender> hosts = new ArrayList<>();
    private final Map<String, Long> cut = new HashMap<>();
    private final Map<String, Long> waiting = new HashMap<>();
    private final Map<MoneyFault, Integer> happened = new EnumMap<>(MoneyFault.class);
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::at).thenComparing(Event::order));
    private final double faulty;
    private final boolean saving;
    private final @Nullable MoneyRule without;
    private long now;
    private long order;
    private int calls;

    MoneyWorld(long seed, @Nullable MoneyRule without, @Nullable PrintWriter story) {
        this.random = new Random(seed * 7_919 + 17);
        this.story = story;
        this.without = without;
        this.faulty = random.nextDouble() * 0.08;
        this.saving = random.nextBoolean();
        oracle.limit(org.id(), org.amount());
        oracle.limit(team.id(), team.amount());
        this.hub = new SimulatedLender(List.of(org, team), without);
        for (int i = 0; i < 3; i++) {
            double speed = random.nextBoolean() ? 0.905 : 0.905 + random.nextDouble() * 0.1;
            hosts.add(new SimulatedSpender("host" + i, speed, without, oracle));
        }
    }

    private static SharedBudget budget(String id, BudgetScope scope, String subject, long micros) {
        return new SharedBudget(
                id,
                new OrgId("default"),
                id,
                scope,
                subject,
                micros,
                Duration.ofMillis(WINDOW),
                Instant.EPOCH,
                Instant.EPOCH);
    }

    /** Runs to the end; says what was broken. */
    @Nullable String run() {
        while (now < FAULTS_END && oracle.broken() == null) {
            step(true);
        }
        say(() -> "-- no more faults, and nobody spends --");
        cut.clear();
        hub.up(true);
        for (long end = now + CALM; now < end && oracle.broken() == null; ) {
            step(false);
        }
        if (without == null && oracle.broken() == null) {
            comesToRest();
        }
        return oracle.broken();
    }

    /** What nobody spends is free again, and everybody can spend. */
    private void comesToRest() {
        for (SharedBudget each : List.of(org, team)) {
            if (hub.isClosed() || hub.free(each) != each.amount()) {
                oracle.violated(
                        "at rest %d of budget %s is free, and the hub is %s"
                                .formatted(
                                        hub.free(each),
                                        each.id(),
                                        hub.isClosed() ? "closed" : "open"));
                return;
            }
        }
        for (SimulatedSpender host : hosts) {
            boolean paid = false;
            for (int i = 0; i < 20 && !paid; i++) {
                paid = host.spend(now, random, applying(host));
                passes(2_000);
                if (!paid) {
                    exchange(host, false);
                    passes(2_000);
                }
            }
            if (!paid) {
                oracle.violated(host.name + " may spend nothing though all is free");
                return;
            }
        }
    }

    int calls() {
        return calls;
    }

    Map<MoneyFault, Integer> happened() {
        return happened;
    }

    private void step(boolean faults) {
        passes(1_000 + random.nextInt(19_000));
        for (SimulatedSpender host : hosts) {
            if (!host.isUp()) {
                continue;
            }
            host.settle(now);
            host.look();
            // Some hosts save what they hold while they are cut off, and then spend it at once.
            boolean saves =
                    saving && cut.getOrDefault(host.name, 0L) > now && random.nextInt(9) > 0;
            for (int i = faults && !saves ? random.nextInt(4) : 0; i > 0; i--) {
                if (host.spend(now, random, applying(host))) {
                    calls++;
                }
            }
            if (host.isAsking() || random.nextInt(3) == 0) {
                exchange(host, faults);
            }
            if (faults && random.nextDouble() < faulty) {
                breakHost(host);
            }
        }
        if (random.nextInt(12) == 0) {
            hub.backup();
        }
        if (faults && hub.isUp() && random.nextDouble() < faulty) {
            breakHub();
        }
    }

    private List<String> applying(SimulatedSpender host) {
        return host.name.equals("host2") ? List.of(org.id()) : List.of(org.id(), team.id());
    }

    private void passes(long millis) {
        long until = now + millis;
        while (!events.isEmpty() && events.peek().at() <= until) {
            Event event = events.remove();
            tick(event.at() - now);
            event.action().run();
        }
        tick(until - now);
    }

    private void tick(long millis) {
        now += millis;
        hosts.stream().filter(SimulatedSpender::isUp).forEach(each -> each.clock.passes(millis));
        if (hub.isUp()) {
            hub.clock.passes(millis);
        }
    }

    private void at(long when, Runnable action) {
        events.add(new Event(when, order++, action));
    }

    private void exchange(SimulatedSpender host, boolean faults) {
        if (waiting.getOrDefault(host.name, -1L) > now) {
            return;
        }
        BudgetExchange asked = host.ask();
        int process = host.process();
        long patience = now + TIMEOUT;
        waiting.put(host.name, patience);
        say(() -> "%s asks %s".formatted(host.name, asked));
        send(
                host,
                faults,
                () -> {
                    if (!hub.isUp()) {
                        return;
                    }
                    BudgetAnswer answer = hub.answer(host.name, asked, enrolled());
                    say(() -> "hub answers %s %s".formatted(host.name, answer));
                    send(
                            host,
                            faults,
                            () -> {
                                if (host.isUp() && host.process() == process) {
                                    waiting.put(host.name, 0L);
                                    host.hear(answer);
                                }
                            });
                });
        at(
                patience,
                () -> {
                    if (host.isUp()
                            && host.process() == process
                            && waiting.getOrDefault(host.name, 0L) == patience) {
                        host.unreachable();
                    }
                });
    }

    private Set<String> enrolled() {
        return hosts.stream().map(each -> each.name).collect(Collectors.toSet());
    }

    private void send(SimulatedSpender host, boolean faults, Runnable arrives) {
        if (cut.getOrDefault(host.name, 0L) > now) {
            return;
        }
        int fate = faults ? random.nextInt(40) : 20;
        switch (fate) {
            case 0 -> count(MoneyFault.MESSAGE_LOST);
            case 1 -> {
                count(MoneyFault.MESSAGE_REPEATED);
                at(now + 100, arrives);
                at(now + 1_000 + random.nextInt((int) (2 * LASTS)), arrives);
            }
            case 2 -> {
                count(MoneyFault.MESSAGE_LATE);
                at(now + random.nextInt((int) (2 * LASTS)), arrives);
            }
            default -> at(now + random.nextInt(400), arrives);
        }
    }

    private void count(MoneyFault fault) {
        happened.merge(fault, 1, Integer::sum);
    }

    private void breakHost(SimulatedSpender host) {
        MoneyFault fault = OF_HOSTS.get(random.nextInt(OF_HOSTS.size()));
        long off = random.nextInt((int) (2 * LASTS));
        say(() -> "!! %s %s %d".formatted(host.name, fault, off));
        switch (fault) {
            case HOST_KILLED -> {
                host.stop();
                host.start();
            }
            case HOST_REBOOTED -> {
                host.stop();
                long down = random.nextInt((int) WINDOW);
                // Often the clock of a machine without power has hardly moved.
                long step = random.nextBoolean() ? anyStep() : random.nextInt(20_000) - down;
                away(host, down, () -> host.clock.reboot(down, step));
            }
            case HOST_RESTORED -> {
                host.stop();
                host.restore();
                host.start();
            }
            case HOST_WIPED -> {
                host.stop();
                host.wipe();
                host.start();
            }
            case HOST_PAUSED -> away(host, off, () -> host.clock.paused(off), false);
            case HOST_RESUMED_IN_THE_PAST ->
                    away(host, off, () -> host.clock.set(-2_000 - random.nextInt(60_000)), false);
            case HOST_CLOCK_SET -> host.clock.set(anyStep());
            default -> {
                cut.put(host.name, now + random.nextInt((int) (2 * WINDOW)));
            }
        }
        count(fault);
        if (random.nextInt(8) == 0) {
            host.backup();
        }
    }

    private long anyStep() {
        return random.nextInt((int) (4 * WINDOW)) - 2 * WINDOW;
    }

    private void away(SimulatedSpender host, long off, Runnable clock) {
        away(host, off, clock, true);
    }

    /** For some time nothing of the machine happens, and its clocks stand still. */
    private void away(SimulatedSpender host, long off, Runnable clock, boolean starts) {
        host.frozen(true);
        at(
                now + off,
                () -> {
                    clock.run();
                    host.frozen(false);
                    if (starts) {
                        host.start();
                    }
                    host.look();
                });
    }

    private void breakHub() {
        MoneyFault fault = OF_THE_HUB.get(random.nextInt(OF_THE_HUB.size()));
        say(() -> "!! " + fault);
        count(fault);
        switch (fault) {
            case HUB_REBOOTED -> {
                long off = random.nextInt((int) (2 * LASTS));
                hub.up(false);
                at(
                        now + off,
                        () -> {
                            hub.clock.reboot(off, anyStep());
                            hub.up(true);
                        });
            }
            case HUB_RESTORED -> hub.restore(random.nextInt(1_000));
            case HUB_CLOCK_SET -> hub.clock.set(anyStep());
            // Whatever it had answered is stored; nothing else is kept.
            default -> hub.up(true);
        }
    }

    private void say(Supplier<String> what) {
        if (story != null) {
            story.printf("%,9.1f s  %s%n", now / 1e3, what.get());
        }
    }
}
