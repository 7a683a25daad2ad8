package dev.skep.app.doctor;

import dev.skep.app.assembly.HostDatabases;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.DatabaseInspection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The databases: there, readable, of a schema this program knows, and whole. */
final class DatabaseCheck implements Check {
    private static final String CHECK = "database";

    private final Configuration configuration;

    DatabaseCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        found.addAll(look("runner", HostDatabases.runnerDatabase(configuration)));
        found.addAll(look("hub", configuration.database()));
        return found;
    }

    private static List<Finding> look(String whose, DatabaseUrl url) {
        if (url instanceof DatabaseUrl.Sqlite(Path file) && Files.notExists(file)) {
            return List.of(Finding.ok(CHECK, "no %s database yet (%s)".formatted(whose, file)));
        }
        try {
            return judge(whose, DatabaseInspection.of(url));
        } catch (SkepException failure) {
            return List.of(Finding.problem(CHECK, failure));
        }
    }

    /** The first thing that is wrong; SQLite puts several, and a heading, into one text. */
    private static String inOneLine(List<String> damage) {
        return damage.stream()
                .flatMap(String::lines)
                .filter(line -> !line.startsWith("***"))
                .findFirst()
                .orElse(damage.getFirst());
    }

    private static List<Finding> judge(String whose, DatabaseInspection seen) {
        String name = "%s database %s".formatted(whose, seen.name());
        List<Finding> found = new ArrayList<>();
        if (!seen.damage().isEmpty()) {
            found.add(
                    Finding.problem(
                            CHECK,
                            name + " is damaged: " + inOneLine(seen.damage()),
                            "stop the process and restore a backup with: skep restore"));
            return found;
        }
        String schema =
                seen.schema() == seen.newest()
                        ? "schema %d".formatted(seen.schema())
                        : "schema %d, brought to %d at the next start"
                                .formatted(seen.schema(), seen.newest());
        String user = seen.holder().map(pid -> ", in use by process " + pid).orElse("");
        found.add(
                Finding.ok(
                        CHECK,
                        "%s: %s, %s, %s%s"
                                .formatted(
                                        name,
                                        schema,
                                        ByteSizes.shown(seen.bytes()),
                                        seen.checked(),
                                        user)));
        return found;
    }
}
