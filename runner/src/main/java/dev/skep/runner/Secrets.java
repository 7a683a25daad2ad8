package dev.skep.runner;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Which variables hold secrets, by what people call them. */
final class Secrets {
    private static final Pattern NAME =
            Pattern.compile(
                    "(?i)(.*_)?(api_?key|key|token|secret|password|passwd|pass|credentials?|dsn|database_url)(_.*)?");

    private Secrets() {}

    static List<String> in(Map<String, String> environment) {
        return environment.entrySet().stream()
                .filter(entry -> NAME.matcher(entry.getKey()).matches())
                .map(Map.Entry::getValue)
                .toList();
    }
}
