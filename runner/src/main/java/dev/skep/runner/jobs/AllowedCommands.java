package dev.skep.runner.jobs;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Which command lines this host lets a hub run; nothing unless it is listed. A {@code *} in an
 * entry stands for anything without shell syntax, so {@code git pull *} does not allow {@code git
 * pull; rm …}. The single entry {@code *} allows everything.
 */
public final class AllowedCommands {
    private static final String PLAIN = "[^;&|`$<>(){}\\\\\\n\\r]*";

    private final boolean everything;
    private final List<Pattern> patterns;

    public AllowedCommands(List<String> entries) {
        this.everything = entries.contains("*");
        this.patterns = entries.stream().map(AllowedCommands::pattern).toList();
    }

    boolean allow(String command) {
        return everything || patterns.stream().anyMatch(p -> p.matcher(command).matches());
    }

    private static Pattern pattern(String entry) {
        StringBuilder regex = new StringBuilder();
        for (String part : entry.strip().split("(?<=\\*)|(?=\\*)", -1)) {
            regex.append(part.equals("*") ? PLAIN : Pattern.quote(part));
        }
        return Pattern.compile(regex.toString());
    }
}
