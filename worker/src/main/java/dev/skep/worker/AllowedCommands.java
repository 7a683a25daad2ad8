package dev.skep.worker;

import dev.skep.shell.HostList;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Which command lines this host lets a hub run; nothing unless it is listed. A {@code *} in an
 * entry stands for anything without shell syntax, so {@code git pull *} does not allow {@code git
 * pull; rm …}. The single entry {@code *} allows everything.
 */
public final class AllowedCommands {
    private static final String PLAIN = "[^;&|`$<>(){}\\\\\\n\\r]*";

    private final Supplier<List<String>> entries;

    private AllowedCommands(Supplier<List<String>> entries) {
        this.entries = entries;
    }

    public static AllowedCommands of(String... entries) {
        List<String> all = List.of(entries);
        return new AllowedCommands(() -> all);
    }

    /**
     * Those of a file, one per line, comments after {@code #}. It is read for each command, so that
     * a change counts at once.
     */
    public static AllowedCommands listedIn(Path file) {
        return new AllowedCommands(new HostList(file)::entries);
    }

    boolean allow(String command) {
        return entries.get().stream()
                .anyMatch(entry -> entry.equals("*") || pattern(entry).matcher(command).matches());
    }

    private static Pattern pattern(String entry) {
        StringBuilder regex = new StringBuilder();
        for (String part : entry.split("(?<=\\*)|(?=\\*)", -1)) {
            regex.append(part.equals("*") ? PLAIN : Pattern.quote(part));
        }
        return Pattern.compile(regex.toString());
    }
}
