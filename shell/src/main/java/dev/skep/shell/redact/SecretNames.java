package dev.skep.shell.redact;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which names and values mean a secret, by what people call things. */
public final class SecretNames {
    /** Between the words of API_KEY, api-key and apiKey. */
    private static final Pattern BETWEEN_WORDS =
            Pattern.compile("[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])");

    private static final Set<String> SECRETS =
            Set.of(
                    "key",
                    "keys",
                    "apikey",
                    "token",
                    "secret",
                    "secrets",
                    "password",
                    "passwd",
                    "passphrase",
                    "pass",
                    "credential",
                    "credentials",
                    "private",
                    "auth",
                    "dsn");

    /** A name with such an ending describes a secret and is not one itself. */
    private static final Set<String> ABOUT =
            Set.of(
                    "algorithm",
                    "count",
                    "dir",
                    "enabled",
                    "file",
                    "folder",
                    "header",
                    "id",
                    "length",
                    "limit",
                    "name",
                    "path",
                    "prefix",
                    "size",
                    "sock",
                    "timeout",
                    "ttl",
                    "type");

    /** Values that occur in ordinary text, so hiding them would only garble output. */
    private static final Set<String> ORDINARY =
            Set.of(
                    "accept",
                    "accept-encoding",
                    "accept-language",
                    "access-control-allow-origin",
                    "authorization",
                    "bearer",
                    "cache-control",
                    "connection",
                    "content-encoding",
                    "content-length",
                    "content-type",
                    "cookie",
                    "default",
                    "development",
                    "disabled",
                    "enabled",
                    "expires",
                    "if-match",
                    "if-modified-since",
                    "if-none-match",
                    "last-modified",
                    "localhost",
                    "location",
                    "max-age",
                    "no-cache",
                    "no-store",
                    "optional",
                    "origin",
                    "password",
                    "private",
                    "production",
                    "public",
                    "referer",
                    "required",
                    "secret",
                    "set-cookie",
                    "staging",
                    "user-agent",
                    "username",
                    "www-authenticate",
                    "x-api-key",
                    "x-auth-token",
                    "x-csrf-token",
                    "x-forwarded-for",
                    "x-forwarded-host",
                    "x-forwarded-proto",
                    "x-request-id");

    private SecretNames() {}

    /** Whether what a variable of this name holds is a secret. */
    public static boolean mean(String name) {
        List<String> words =
                BETWEEN_WORDS
                        .splitAsStream(name)
                        .map(word -> word.toLowerCase(Locale.ROOT))
                        .filter(word -> !word.isEmpty())
                        .toList();
        return !words.isEmpty()
                && !ABOUT.contains(words.getLast())
                && !words.contains("public")
                && (words.stream().anyMatch(SECRETS::contains)
                        || String.join("_", words).endsWith("database_url"));
    }

    /** Whether a value is an ordinary word, whatever its name is. */
    public static boolean ordinary(String value) {
        return ORDINARY.contains(value.strip().toLowerCase(Locale.ROOT));
    }
}
