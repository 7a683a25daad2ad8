package dev.skep.app.docs;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Every figure of /metrics, as a process shows it that was asked for everything once. */
final class MetricsPage {
    private static final Pattern HELP = Pattern.compile("# HELP (\\S+) +(.*)");
    private static final Pattern KIND = Pattern.compile("# TYPE (\\S+) (\\S+)");
    private static final Pattern SAMPLE = Pattern.compile("([a-z_]+)(?:\\{([^}]*)})? \\S+");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    private static final String SLOWEST = "the slowest of the last minutes";

    private MetricsPage() {}

    static String write(String scraped) {
        Map<String, String> tells = new TreeMap<>();
        Map<String, String> kinds = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        scraped.lines()
                .forEach(
                        line -> {
                            Matcher help = HELP.matcher(line);
                            if (help.matches()) {
                                tells.put(help.group(1), help.group(2));
                            }
                            Matcher kind = KIND.matcher(line);
                            if (kind.matches()) {
                                kinds.put(kind.group(1), kind.group(2));
                            }
                            Matcher sample = SAMPLE.matcher(line);
                            if (sample.matches() && sample.group(2) != null) {
                                LABEL.matcher(sample.group(2))
                                        .results()
                                        .forEach(
                                                label ->
                                                        labels.computeIfAbsent(
                                                                        sample.group(1),
                                                                        _ -> new TreeSet<>())
                                                                .add("`" + label.group(1) + "`"));
                            }
                        });
        Markdown page = new Markdown("");
        page.block("# Metrics");
        page.block(
                """
                `GET /metrics` on the listener, in Prometheus' text format: for this machine, and for admins. A `summary` has `_count` and `_sum` (seconds); one with
                `_max` has a gauge of that name beside it, of the last minutes.""");
        page.head("name", "kind", "labels", "tells");
        kinds.forEach(
                (name, kind) ->
                        page.row(
                                "`" + name + "`",
                                kind,
                                String.join(" ", labelsOf(name, labels)),
                                name.endsWith("_max") ? SLOWEST : told(name, tells)));
        return page.toString();
    }

    private static Set<String> labelsOf(String name, Map<String, Set<String>> labels) {
        return labels.getOrDefault(name, labels.getOrDefault(name + "_count", Set.of()));
    }

    private static String told(String name, Map<String, String> tells) {
        String told = tells.getOrDefault(name, "");
        return told.isBlank() ? Markdown.UNWRITTEN : told;
    }
}
