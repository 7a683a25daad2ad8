package dev.skep.fleet;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.Killable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hub and runners killed at random under load. A few times by default, each once at least; for the
 * two minutes of the promise with {@code -Dskep.kill.seconds=120}.
 */
class KilledAtRandomTest {
    private static final Duration KILLING =
            Duration.ofSeconds(Integer.getInteger("skep.kill.seconds", 0));
    private static final int RUNNERS = 2;

    @TempDir private Path folder = Path.of("");
    private final Set<String> mails = ConcurrentHashMap.newKeySet();
    private final Set<String> logs = ConcurrentHashMap.newKeySet();

    private void acknowledged(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "mail" -> mails.add(words[1]);
            case "log" -> logs.add(words[1]);
            default -> {}
        }
    }

    @Test
    void every_acknowledged_row_is_everywhere_it_belongs() throws Exception {
        int port = FreePort.any();
        List<Killable> nodes = new ArrayList<>();
        try {
            Path hubDir = folder.resolve("hub");
            nodes.add(
                    new Killable(
                            NodeProcess.class, line -> {}, "hub", hubDir.toString(), "" + port));
            nodes.getFirst().greeting();
            for (int i = 0; i < RUNNERS; i++) {
                nodes.add(
                        new Killable(
                                NodeProcess.class,
                                this::acknowledged,
                                "runner",
                                folder.resolve("runner" + i).toString(),
                                "http://127.0.0.1:" + port));
            }
            int kills = killAtRandom(nodes);
            for (Killable node : nodes) {
                node.greeting();
            }
            System.err.printf(
                    "%d kills, %d mails and %d log lines acknowledged%n",
                    kills, mails.size(), logs.size());
            Eventually.holds("mail is acknowledged", () -> !mails.isEmpty());
            Set<String> mailsThen = Set.copyOf(mails);
            Set<String> logsThen = Set.copyOf(logs);
            has(hubDir.resolve("hub.db"), "mail_messages", mailsThen);
            has(hubDir.resolve("hub.db"), "context_log", logsThen);
            for (int i = 0; i < RUNNERS; i++) {
                has(folder.resolve("runner" + i).resolve("runner.db"), "mail_messages", mailsThen);
            }
        } finally {
            for (Killable node : nodes) {
                node.close();
            }
        }
    }

    private static int killAtRandom(List<Killable> nodes) throws InterruptedException {
        Random random = new Random();
        long end = System.nanoTime() + KILLING.toNanos();
        List<Killable> next = new ArrayList<>(nodes);
        Collections.shuffle(next, random);
        int kills = 0;
        while (kills <= nodes.size() || System.nanoTime() < end) {
            Killable victim = next.get(kills % next.size());
            victim.greeting();
            victim.letRun(Duration.ofMillis(random.nextInt(500)));
            victim.killAndStart();
            kills++;
            if (kills % next.size() == 0) {
                Collections.shuffle(next, random);
            }
        }
        return kills;
    }

    private static void has(Path file, String table, Set<String> expected) {
        try (Database database = Databases.openReadOnly(new DatabaseUrl.Sqlite(file))) {
            Eventually.holds(
                    table
                            + " in "
                            + Objects.requireNonNull(file.getParent()).getFileName()
                            + " has all",
                    () -> new HashSet<>(ids(database, table)).containsAll(expected));
        }
    }

    private static List<String> ids(Database database, String table) {
        return database.read(db -> db.list("SELECT id FROM " + table, row -> row.text("id")));
    }
}
