package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.Killable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The hub first, runners later. The data dirs are those of commit 1a70b95; its runner goes on
 * speaking the protocol and naming the schema of that commit until it is upgraded too.
 */
class RollingUpgradeTest {
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
    void an_upgraded_hub_syncs_with_elder_runners_until_they_are_upgraded_and_loses_nothing()
            throws Exception {
        OldDataDir.FIRST.unpack(folder);
        Path hubDir = moved("hub", "hub.db", "hub.key", "secrets.key");
        Path elderDir = moved("elder", "runner.db", "runner.key");
        rememberOldRows(elderDir.resolve("runner.db"));
        // It is not where it was when the elder joined it, and says so.
        try (var hub =
                        new Killable(
                                NodeProcess.class,
                                _ -> {},
                                "hub",
                                hubDir.toString(),
                                "0",
                                "127.0.0.1");
                var address = new Balancer(List.of(port(hub)));
                var elder =
                        new Killable(
                                NodeProcess.class,
                                this::acknowledged,
                                "elder",
                                elderDir.toString(),
                                address.url());
                var young = RunnerNode.open(folder.resolve("young"), "young", address.url())) {
            elder.greeting();
            Database itsRows = opened(elderDir.resolve("runner.db"));
            areExchanged(young, itsRows);

            hub.kill();
            String meanwhile = young.fleetRows.mail("while the hub is away");
            hub.start();
            address.moveTo(List.of(port(hub)));
            has(itsRows, meanwhile);
            areExchanged(young, itsRows);
            itsRows.close();

            elder.kill();
            try (var upgraded = RunnerNode.open(elderDir, "elder", address.url());
                    Database atHub = opened(hubDir.resolve("hub.db"))) {
                String there = young.fleetRows.mail("to the upgraded one");
                String back = upgraded.fleetRows.mail("and back");
                has(upgraded.process.database(), there);
                has(young.process.database(), back);

                for (String table : List.of("mail_messages", "context_log")) {
                    Eventually.holds(
                            "the hub has the same " + table,
                            () -> ids(atHub, table).equals(upgraded.fleetRows.ids(table)));
                }
                assertThat(ids(atHub, "mail_messages")).containsAll(mails);
                assertThat(ids(atHub, "context_log")).containsAll(logs);
                assertThat(upgraded.fleetRows.number("SELECT count(*) FROM sync_quarantine"))
                        .isZero();
            }
        }
    }

    /** The hub lacks a log line of them. */
    private void rememberOldRows(Path file) {
        try (Database old = Databases.openForInspection(new DatabaseUrl.Sqlite(file))) {
            mails.addAll(ids(old, "mail_messages"));
            logs.addAll(ids(old, "context_log"));
        }
    }

    /** What each of the two wrote until now, and one more mail. */
    private void areExchanged(RunnerNode young, Database elder) {
        has(elder, young.fleetRows.mail("to the elder"));
        int before = mails.size();
        Eventually.holds("the elder writes on", () -> mails.size() > before);
        Set<String> written = Set.copyOf(mails);
        Eventually.holds(
                "what the elder wrote arrives",
                () -> young.fleetRows.ids("mail_messages").containsAll(written));
    }

    private static void has(Database database, String mail) {
        Eventually.holds("mail arrives", () -> ids(database, "mail_messages").contains(mail));
    }

    private static Set<String> ids(Database database, String table) {
        return new TreeSet<>(
                database.<List<String>>read(
                        db -> db.list("SELECT id FROM " + table, row -> row.text("id"))));
    }

    private static Database opened(Path file) {
        return Databases.openReadOnly(new DatabaseUrl.Sqlite(file));
    }

    private static int port(Killable hub) {
        String greeting = hub.greeting();
        return Integer.parseInt(greeting.substring(greeting.lastIndexOf(':') + 1));
    }

    private Path moved(String to, String... files) throws Exception {
        Path folderOf = Files.createDirectories(folder.resolve(to));
        for (String file : files) {
            Files.move(folder.resolve(file), folderOf.resolve(file));
        }
        return folderOf;
    }
}
