package dev.skep.models.yaml;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a record's components are written in a file. */
final class YamlKeys {
    private YamlKeys() {}

    /** {@code wakeOnMail} is written {@code wake_on_mail}. */
    static String of(RecordComponent component) {
        return of(component.getName());
    }

    static String of(String camelCase) {
        return camelCase.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    static List<String> all(Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).map(YamlKeys::of).toList();
    }

    static boolean mayBeMissing(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /** The known word that a misspelt one is closest to, if it is close. */
    static Optional<String> closest(String written, List<String> known) {
        return known.stream()
                .filter(k -> distance(written, k) <= Math.max(2, k.length() / 3))
                .min((a, b) -> distance(written, a) - distance(written, b));
    }

    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
