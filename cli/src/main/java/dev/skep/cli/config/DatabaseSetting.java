package dev.skep.cli.config;

import dev.skep.kernel.error.SkepException;
import dev.skep.store.DatabaseUrl;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** Reads where a hub, or a supervisor on its own, keeps its rows. */
final class DatabaseSetting {
    private DatabaseSetting() {}

    static DatabaseUrl read(
            SettingValue provider,
            SettingValue url,
            SettingSources sources,
            ConfigProblems problems) {
        DatabaseUrl database = parse(url, sources, problems);
        String asked = provider.text().toLowerCase(Locale.ROOT);
        if (!Set.of("", "sqlite", "postgresql").contains(asked)) {
            problems.add(
                    provider.named()
                            + " is \""
                            + provider.text()
                            + "\"; the databases are sqlite and postgresql");
        } else if (asked.equals("postgresql") && url.isDefault()) {
            problems.add(
                    provider.named()
                            + " is postgresql but there is no address; set "
                            + Setting.DATABASE_URL.ownName()
                            + "=postgresql://user:password@host:5432/database");
        } else if (!asked.isEmpty() && !asked.equals(providerOf(database))) {
            problems.add(
                    provider.named()
                            + " is "
                            + asked
                            + " but "
                            + url.named()
                            + " is an address of "
                            + providerOf(database)
                            + "; make them agree or leave the provider out");
        }
        return database;
    }

    private static DatabaseUrl parse(
            SettingValue url, SettingSources sources, ConfigProblems problems) {
        try {
            return DatabaseUrl.parse(url.text(), sources.folderOf(url.origin()));
        } catch (SkepException unusable) {
            String why = String.valueOf(unusable.getMessage()).replaceFirst("^DATABASE_URL ", "");
            problems.add(url.named() + " " + why);
            return new DatabaseUrl.Sqlite(Path.of(""));
        }
    }

    private static String providerOf(DatabaseUrl database) {
        return switch (database) {
            case DatabaseUrl.Sqlite _ -> "sqlite";
            case DatabaseUrl.Postgres _ -> "postgresql";
        };
    }
}
