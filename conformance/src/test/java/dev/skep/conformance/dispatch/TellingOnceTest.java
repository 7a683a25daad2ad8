package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.SqlDialect;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.JavaCommand;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Each reason ends in one message, however many processes a hub has and however they end. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class TellingOnceTest {
    private static final int PROCESSES = 4;
    private static final int KILLS = Integer.getInteger("skep.kills", 3);

    @TempDir Path folder;
    @Parameter TestDatabase kind = TestDatabase.SQLITE;
    private final SettableClock time = SettableClock.atNewYear();

    /** What arrived, by the id of its message. */
    private final Map<String, String> received = new ConcurrentHashMap<>();

    private HttpServer receiver;

    @BeforeEach
    void open() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    received.put(
                            exchange.getRequestHeaders().getFirst("webhook-id"),
                            new String(
                                    exchange.getRequestBody().readAllBytes(),
                                    StandardCharsets.UTF_8));
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        receiver.start();
    }

    @AfterEach
    void close() {
        receiver.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:%d/hook".formatted(receiver.getAddress().getPort());
    }

    @Test
    void what_several_processes_find_at_once_is_told_once_and_together() throws Exception {
        DatabaseUrl url = kind.create(folder);
        List<Database> databases = new ArrayList<>();
        List<TellingFixture> processes = new ArrayList<>();
        // A SQLite file has one process; its threads stand for the others.
        Database first = Databases.open(url, time);
        boolean shared = first.dialect() == SqlDialect.POSTGRES;
        for (int i = 0; i < PROCESSES; i++) {
            Database database = i == 0 || !shared ? first : Databases.open(url, time);
            databases.add(database);
            processes.add(new TellingFixture(database, folder.resolve("secrets.key"), time, time));
        }
        processes.getFirst().person(url(), Set.of("approval"));
        int rounds = 5;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 10; i++) {
                String id = round + "-" + i;
                atOnce(processes, each -> each.approvalWaits(id));
            }
            time.advance(Duration.ofMinutes(1));
            atOnce(processes, each -> each.notifier.tell());
        }
        for (TellingFixture each : processes) {
            each.sender().sendAll();
        }
        databases.stream().distinct().forEach(Database::close);

        assertThat(received).hasSize(rounds);
        assertThat(subjects()).hasSize(10 * rounds).allMatch(count -> count == 1);
    }

    /** How often each subject arrived, over all messages. */
    private List<Integer> subjects() {
        Map<String, Integer> counts = new TreeMap<>();
        for (String body : received.values()) {
            JsonFields data = Json.fields(body).object("data").orElseThrow();
            assertThat(data.number("more")).isZero();
            data.list("items").forEach(item -> counts.merge(item.text("subject"), 1, Integer::sum));
        }
        return List.copyOf(counts.values());
    }

    private interface Act {
        void of(TellingFixture process);
    }

    private static void atOnce(List<TellingFixture> processes, Act act) throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        List<Throwable> failures = new ArrayList<>();
        List<Thread> threads =
                processes.stream()
                        .map(
                                each ->
                                        Thread.ofVirtual()
                                                .start(
                                                        () -> {
                                                            try {
                                                                go.await();
                                                                act.of(each);
                                                            } catch (Throwable e) {
                                                                synchronized (failures) {
                                                                    failures.add(e);
                                                                }
                                                            }
                                                        }))
                        .toList();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void what_was_found_before_a_kill_is_told_once_after_it() throws Exception {
        DatabaseUrl url = kind.create(folder);
        Path keys = folder.resolve("secrets.key");
        InstantSource clock = InstantSource.system();
        try (Database database = Databases.open(url, clock)) {
            new TellingFixture(database, keys, clock, clock).person(url(), Set.of("approval"));
        }
        Set<String> found = new HashSet<>();
        for (int kill = 0; kill < KILLS; kill++) {
            found.addAll(untilKilled(url, keys, kill, clock));
        }
        // What the killed ones had taken is taken again once their time is over.
        SettableClock later = new SettableClock(clock.instant().plus(Duration.ofDays(KILLS)));
        try (Database database = Databases.open(url, later)) {
            TellingFixture last = new TellingFixture(database, keys, later, later);
            last.notifier.tell();
            last.sender().sendAll();
            List<DeliveryStore.View> all =
                    database.read(
                            s ->
                                    last.deliveries.latest(
                                            s,
                                            TellingFixture.ORG,
                                            TellingFixture.CHANNEL,
                                            100_000));
            assertThat(all).allMatch(each -> each.state().equals("done"));
        }
        Map<String, Integer> told = new HashMap<>();
        long counted = 0;
        for (String body : received.values()) {
            JsonFields data = Json.fields(body).object("data").orElseThrow();
            counted += data.list("items").size() + data.number("more");
            data.list("items").forEach(item -> told.merge(item.text("subject"), 1, Integer::sum));
        }
        assertThat(told.values()).allMatch(count -> count == 1);
        // A kill can fall between the commit and the line that says so: then one more was found.
        assertThat(counted).isBetween((long) found.size(), (long) found.size() + KILLS);
    }

    private Set<String> untilKilled(DatabaseUrl url, Path keys, int kill, InstantSource clock)
            throws IOException {
        Process process =
                JavaCommand.process(
                                TellingProcess.class,
                                argument(url),
                                keys.toString(),
                                "k" + kill,
                                // Steady time never goes back, whichever process reads it.
                                clock.instant().plus(Duration.ofDays(kill)).toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        Set<String> found = new HashSet<>();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String id = lines.readLine(); id != null; id = lines.readLine()) {
                found.add(id);
                if (found.size() == 150) {
                    process.toHandle().destroyForcibly();
                }
            }
        }
        assertThat(found).hasSizeGreaterThanOrEqualTo(150);
        return found;
    }

    private static String argument(DatabaseUrl url) {
        return switch (url) {
            case DatabaseUrl.Sqlite(var file) -> "file:" + file;
            case DatabaseUrl.Postgres p ->
                    "postgresql://%s:%s@%s:%d/%s"
                            .formatted(p.user(), p.password(), p.host(), p.port(), p.database());
        };
    }
}
