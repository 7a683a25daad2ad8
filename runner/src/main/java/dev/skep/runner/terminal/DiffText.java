package dev.skep.runner.terminal;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What changed between two texts, line by line, with a few lines around each change. */
public final class DiffText {
    private static final int AROUND = 3;

    /** Beyond so many pairs of lines the changed part is shown as removed and added. */
    private static final long MOST_PAIRS = 1_000_000;

    private DiffText() {}

    /**
     * A line that begins with {@code +}, {@code -} or a blank; {@code …} where lines are left out.
     */
    public static List<String> of(@Nullable String before, @Nullable String after) {
        List<String> old = lines(before);
        List<String> now = lines(after);
        List<String> all = new ArrayList<>();
        int from = commonStart(old, now);
        int end = commonEnd(old, now, from);
        old.subList(0, from).forEach(line -> all.add(" " + line));
        compare(old.subList(from, old.size() - end), now.subList(from, now.size() - end), all);
        old.subList(old.size() - end, old.size()).forEach(line -> all.add(" " + line));
        return aroundChanges(all);
    }

    private static List<String> lines(@Nullable String text) {
        return text == null ? List.of() : text.lines().toList();
    }

    private static int commonStart(List<String> old, List<String> now) {
        int same = 0;
        while (same < Math.min(old.size(), now.size()) && old.get(same).equals(now.get(same))) {
            same++;
        }
        return same;
    }

    private static int commonEnd(List<String> old, List<String> now, int from) {
        int same = 0;
        while (same < Math.min(old.size(), now.size()) - from
                && old.get(old.size() - 1 - same).equals(now.get(now.size() - 1 - same))) {
            same++;
        }
        return same;
    }

    private static void compare(List<String> old, List<String> now, List<String> all) {
        if ((long) old.size() * now.size() > MOST_PAIRS) {
            old.forEach(line -> all.add("-" + line));
            now.forEach(line -> all.add("+" + line));
            return;
        }
        int[][] longest = new int[old.size() + 1][now.size() + 1];
        for (int i = old.size() - 1; i >= 0; i--) {
            for (int j = now.size() - 1; j >= 0; j--) {
                longest[i][j] =
                        old.get(i).equals(now.get(j))
                                ? longest[i + 1][j + 1] + 1
                                : Math.max(longest[i + 1][j], longest[i][j + 1]);
            }
        }
        int i = 0;
        int j = 0;
        while (i < old.size() || j < now.size()) {
            if (i < old.size() && j < now.size() && old.get(i).equals(now.get(j))) {
                all.add(" " + old.get(i));
                i++;
                j++;
            } else if (i < old.size()
                    && (j == now.size() || longest[i + 1][j] >= longest[i][j + 1])) {
                all.add("-" + old.get(i++));
            } else {
                all.add("+" + now.get(j++));
            }
        }
    }

    private static List<String> aroundChanges(List<String> all) {
        List<String> shown = new ArrayList<>();
        int last = -1;
        for (int i = 0; i < all.size(); i++) {
            if (isNearChange(all, i)) {
                if (i > last + 1) {
                    shown.add("…");
                }
                shown.add(all.get(i));
                last = i;
            }
        }
        if (last >= 0 && last < all.size() - 1) {
            shown.add("…");
        }
        return shown;
    }

    private static boolean isNearChange(List<String> all, int at) {
        for (int i = Math.max(0, at - AROUND); i <= Math.min(all.size() - 1, at + AROUND); i++) {
            if (!all.get(i).startsWith(" ")) {
                return true;
            }
        }
        return false;
    }
}
