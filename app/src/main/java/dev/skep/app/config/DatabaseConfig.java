package dev.skep.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/** Where a hub, or a supervisor on its own, keeps its rows. */
public sealed interface DatabaseConfig {
    /** A file on this machine. */
    record Sqlite(Path file) implements DatabaseConfig {}

    /** A PostgreSQL server; the password is kept apart from the URL, which may be shown. */
    record Postgres(URI url, String user, Secret password) implements DatabaseConfig {}

    static DatabaseConfig read(
            SettingValue provider, SettingValue url, SettingSources sources, Problems problems) {
        DatabaseConfig database = fromUrl(url, sources, problems);
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
                            + " is postgresql but there is no address: set "
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

    private static String providerOf(DatabaseConfig database) {
        return switch (database) {
            case Sqlite _ -> "sqlite";
            case Postgres _ -> "postgresql";
        };
    }

    private static DatabaseConfig fromUrl(
            SettingValue url, SettingSources sources, Problems problems) {
        String text = url.text();
        if (text.startsWith("file:") && text.length() > "file:".length()) {
            String path = text.substring("file:".length()).replaceFirst("^//(?=/)", "");
            return new Sqlite(sources.resolve(path, url.origin()));
        }
        if (text.matches("postgres(ql)?://.*")) {
            try {
                return postgres(new URI(text));
            } catch (URISyntaxException | IllegalArgumentException e) {
                problems.add(
                        url.named()
                                + " is no PostgreSQL address: write"
                                + " postgresql://user:password@host:5432/database, with special"
                                + " characters of the password percent-encoded");
                return new Sqlite(Path.of(""));
            }
        }
        problems.add(
                url.named()
                        + " is no database address: \""
                        + SettingValue.withoutPassword(text)
                        + "\"; write file:./hub.db or postgresql://user:password@host:5432/database");
        return new Sqlite(Path.of(""));
    }

    private static Postgres postgres(URI uri) throws URISyntaxException {
        String path = uri.getPath();
        if (uri.getHost() == null || path == null || path.length() < 2) {
            throw new IllegalArgumentException("host or database is missing");
        }
        String[] user = uri.getUserInfo() == null ? new String[0] : uri.getUserInfo().split(":", 2);
        URI shown =
                new URI(
                        "postgresql",
                        null,
                        uri.getHost(),
                        uri.getPort(),
                        path,
                        uri.getQuery(),
                        null);
        return new Postgres(
                shown, user.length > 0 ? user[0] : "", new Secret(user.length > 1 ? user[1] : ""));
    }
}
