package dev.skep.runner.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills in {@code ${agent.*}} and {@code ${env.*}} where a text is used; what is stored and synced
 * keeps them as written. Other {@code ${…}} are the shell's and stay.
 */
public final class AgentPlaceholders {
    private static final Pattern PLACE = Pattern.compile("\\$\\{(agent|env)\\.([A-Za-z0-9_]+)}");

    private final Map<String, String> agent;
    private final Function<String, @Nullable String> environment;
    private final String whereToSet;

    public AgentPlaceholders(
            Map<String, String> agent, Function<String, @Nullable String> environment) {
        this(agent, environment, "is not set; add it to .env in the data folder");
    }

    private AgentPlaceholders(
            Map<String, String> agent,
            Function<String, @Nullable String> environment,
            String whereToSet) {
        this.agent = Map.copyOf(agent);
        this.environment = environment;
        this.whereToSet = whereToSet;
    }

    /**
     * For a file that came from elsewhere: of the environment only what the host lists for such.
     */
    public static AgentPlaceholders ofRemoteFile(
            Map<String, String> agent,
            Function<String, @Nullable String> environment,
            List<String> listed) {
        return new AgentPlaceholders(
                agent,
                name -> listed.contains(name) ? environment.apply(name) : null,
                "is not for a file that came from elsewhere; list its name in remote-env of the data dir, and set it in .env");
    }

    /** The text with every known place filled in; an unknown one stays as written. */
    public String in(String text) {
        return PLACE.matcher(text)
                .replaceAll(
                        place -> {
                            String value = value(place.group(1), place.group(2));
                            return Matcher.quoteReplacement(value == null ? place.group() : value);
                        });
    }

    /** What cannot be filled in, each with the fix; empty if all can. */
    public List<String> problems(String text) {
        List<String> problems = new ArrayList<>();
        Matcher place = PLACE.matcher(text);
        while (place.find()) {
            if (value(place.group(1), place.group(2)) == null) {
                problems.add(
                        place.group(1).equals("env")
                                ? place.group() + " " + whereToSet
                                : "%s is not known; use agent.%s"
                                        .formatted(
                                                place.group(),
                                                String.join(
                                                        ", agent.",
                                                        agent.keySet().stream()
                                                                .sorted()
                                                                .toList())));
            }
        }
        return problems;
    }

    /** The values from the environment that a text uses: not to be stored or shown. */
    public List<String> secretsIn(String text) {
        List<String> values = new ArrayList<>();
        Matcher place = PLACE.matcher(text);
        while (place.find()) {
            String value = value(place.group(1), place.group(2));
            if (place.group(1).equals("env") && value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private @Nullable String value(String kind, String name) {
        return kind.equals("env") ? environment.apply(name) : agent.get(name);
    }
}
