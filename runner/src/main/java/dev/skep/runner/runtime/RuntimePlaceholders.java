package dev.skep.runner.runtime;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What stands for values of one start in the texts of a definition. */
final class RuntimePlaceholders {
    private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z.]+)\\}");

    static final String HOME = "home";

    /** {@code ask} or {@code allow}. */
    static final String PERMISSION = "permission";

    static final String MODEL = "model";
    static final String CONTEXT = "model.context";
    static final String OUTPUT = "model.output";

    /** 32 characters that nobody can guess, new at each start. */
    static final String RANDOM = "random";

    static final String URL = "gateway.url";
    static final String TOKEN = "gateway.token";

    /** Where our tools are, for those that do not take them as ACP says. */
    static final String TOOLS = "tools.url";

    private final Map<String, String> values;

    RuntimePlaceholders(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    /** The first that is not known at any start. */
    static Optional<String> unknown(String text, boolean gateway) {
        return PLACE.matcher(text)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !names(gateway).contains(name))
                .findFirst();
    }

    static String known(boolean gateway) {
        return String.join(", ", names(gateway).stream().map(name -> "${" + name + "}").toList());
    }

    private static SortedSet<String> names(boolean gateway) {
        SortedSet<String> names =
                new TreeSet<>(List.of(HOME, PERMISSION, MODEL, CONTEXT, OUTPUT, RANDOM));
        if (gateway) {
            names.addAll(List.of(URL, TOKEN, TOOLS));
        }
        return names;
    }

    /** The first that has no value at this start. */
    Optional<String> missing(String text) {
        return PLACE.matcher(text)
                .results()
                .map(found -> found.group(1))
                .filter(name -> !values.containsKey(name))
                .findFirst();
    }

    /** The text with the values; empty if one is missing. */
    Optional<String> in(String text) {
        return missing(text).isPresent()
                ? Optional.empty()
                : Optional.of(
                        PLACE.matcher(text)
                                .replaceAll(
                                        found ->
                                                Matcher.quoteReplacement(
                                                        values.getOrDefault(found.group(1), ""))));
    }
}
