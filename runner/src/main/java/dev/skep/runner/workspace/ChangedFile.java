package dev.skep.runner.workspace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A file that an agent changed.
 *
 * @param oldPath what it was called before, or null
 * @param added lines; 0 in a binary file
 */
public record ChangedFile(
        String path,
        @Nullable String oldPath,
        Change change,
        long added,
        long deleted,
        boolean binary) {
    /** How it changed. */
    public enum Change {
        ADDED,
        DELETED,
        MODIFIED,
        RENAMED,
        /** As from a file to a link. */
        RETYPED;

        private static Change of(String status) {
            return switch (status.isEmpty() ? ' ' : status.charAt(0)) {
                case 'A', 'C' -> ADDED;
                case 'D' -> DELETED;
                case 'R' -> RENAMED;
                case 'T' -> RETYPED;
                default -> MODIFIED;
            };
        }
    }

    private record Counted(long added, long deleted, boolean binary) {}

    /** What {@code git diff} says with {@code --raw -z} and with {@code --numstat -z}. */
    static List<ChangedFile> read(byte[] raw, byte[] numstat) {
        Map<String, Counted> counts = counts(numstat);
        List<ChangedFile> files = new ArrayList<>();
        for (Iterator<String> words = words(raw); words.hasNext(); ) {
            String head = words.next();
            if (!head.startsWith(":") || !words.hasNext()) {
                break;
            }
            String status = head.substring(head.lastIndexOf(' ') + 1);
            String first = words.next();
            boolean two = status.startsWith("R") || status.startsWith("C");
            if (two && !words.hasNext()) {
                break;
            }
            String path = two ? words.next() : first;
            Counted counted = counts.getOrDefault(path, new Counted(0, 0, false));
            files.add(
                    new ChangedFile(
                            path,
                            two ? first : null,
                            Change.of(status),
                            counted.added(),
                            counted.deleted(),
                            counted.binary()));
        }
        return files;
    }

    private static Map<String, Counted> counts(byte[] numstat) {
        Map<String, Counted> counts = new HashMap<>();
        for (Iterator<String> words = words(numstat); words.hasNext(); ) {
            String[] parts = words.next().split("\t", 3);
            if (parts.length < 3) {
                break;
            }
            String path = parts[2];
            if (path.isEmpty()) {
                // A renamed file: its old and its new path follow.
                for (int i = 0; i < 2 && words.hasNext(); i++) {
                    path = words.next();
                }
            }
            counts.put(path, new Counted(number(parts[0]), number(parts[1]), parts[0].equals("-")));
        }
        return counts;
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /** Each ends with a zero byte; the last is left out if it was cut. */
    private static Iterator<String> words(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.lastIndexOf('\0');
        return end < 0
                ? List.<String>of().iterator()
                : List.of(text.substring(0, end).split("\0", -1)).iterator();
    }
}
