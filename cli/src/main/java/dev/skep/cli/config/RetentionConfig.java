package dev.skep.cli.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How long what is kept.
 *
 * @param kept kinds that are not in it are kept for ever
 * @param mostBytes what a SQLite file may hold; empty for no limit
 */
public record RetentionConfig(Map<RetentionKind, Duration> kept, OptionalLong mostBytes) {
    static final String KEEP =
            Arrays.stream(RetentionKind.values())
                    .map(kind -> kind.word() + "=" + kind.usual().toDays() + "d")
                    .collect(Collectors.joining(","));
    static final String SIZE = "10GB";

    private static final String FOREVER = "forever";
    private static final Pattern DAYS = Pattern.compile("([1-9][0-9]{0,4})d");
    private static final Pattern BYTES = Pattern.compile("([1-9][0-9]{0,5})(MB|GB)");

    public RetentionConfig {
        kept = Map.copyOf(kept);
    }

    static RetentionConfig read(SettingValue retain, SettingValue size, ConfigProblems problems) {
        Map<RetentionKind, Duration> retentionKind = new EnumMap<>(RetentionKind.class);
        for (RetentionKind kind : RetentionKind.values()) {
            retentionKind.put(kind, kind.usual());
        }
        for (String word : retain.text().split(",", -1)) {
            if (!word.isBlank()) {
                read(word.strip(), retentionKind, retain, problems);
            }
        }
        return new RetentionConfig(retentionKind, size(size, problems));
    }

    private static void read(
            String word,
            Map<RetentionKind, Duration> retentionKind,
            SettingValue retain,
            ConfigProblems problems) {
        String[] parts = word.split("=", 2);
        Optional<RetentionKind> kind = RetentionKind.named(parts[0].strip());
        String time = parts.length == 2 ? parts[1].strip() : "";
        Matcher days = DAYS.matcher(time);
        if (kind.isPresent() && time.equals(FOREVER)) {
            retentionKind.remove(kind.get());
        } else if (kind.isPresent() && days.matches()) {
            retentionKind.put(kind.get(), Duration.ofDays(Long.parseLong(days.group(1))));
        } else {
            problems.add(
                    "%s has \"%s\"; write for example logs=30d,mail=%s, of %s"
                            .formatted(
                                    retain.named(),
                                    word,
                                    FOREVER,
                                    Arrays.stream(RetentionKind.values())
                                            .map(RetentionKind::word)
                                            .collect(Collectors.joining(", "))));
        }
    }

    private static OptionalLong size(SettingValue size, ConfigProblems problems) {
        if (size.text().equals("none")) {
            return OptionalLong.empty();
        }
        Matcher bytes = BYTES.matcher(size.text());
        if (!bytes.matches()) {
            problems.add(
                    "%s is not a size: \"%s\"; write for example 500MB or 10GB, or none"
                            .formatted(size.named(), size.text()));
            return OptionalLong.empty();
        }
        long unit = bytes.group(2).equals("MB") ? 1L << 20 : 1L << 30;
        return OptionalLong.of(Long.parseLong(bytes.group(1)) * unit);
    }
}
