package dev.skep.runner.workspace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commits with their first lines, as {@code git rev-list --format=%s} prints them. */
record CommitLines(Map<String, String> byId) {
    private static final Pattern HEAD = Pattern.compile("commit ([0-9a-f]{40,64})");

    static CommitLines of(String text) {
        Map<String, String> byId = new LinkedHashMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i += 2) {
            Matcher head = HEAD.matcher(lines.get(i));
            if (head.matches()) {
                byId.put(head.group(1), i + 1 < lines.size() ? lines.get(i + 1) : "");
            }
        }
        return new CommitLines(byId);
    }

    List<String> ids() {
        return List.copyOf(byId.keySet());
    }

    List<String> titles(Set<String> some) {
        List<String> titles = new ArrayList<>();
        byId.forEach(
                (id, title) -> {
                    if (some.contains(id)) {
                        titles.add(title);
                    }
                });
        return titles;
    }
}
