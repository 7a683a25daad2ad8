package dev.skep.runner.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Fills in {@code ${agent.*}}, {@code ${env.*}} and {@code ${secret.*}} where a text is used; what
 * is stored and synced keeps them as written. Other {@code ${…}} are the shell's and stay.
 */
public final class AgentPlaceholders {
    private static final Pattern PLACE =
            Pattern.compile("\\$\\{(agent|env|secret)\\.([A-Za-z0-9_]+)}");

    private final Map<String, String> agent;
    private final Function<String, @Nullable String> environment;
    private final Function<String, @Nullable String> secrets;
    private final String whereToSet;

    public AgentPlaceholders(
            Map<String, String> agent, Function<String, @Nullable String> environment) {
        this(agent, environment, _ -> null, "is not set; add it to .env in the data folder");
    }

    private AgentPlaceholders(
            Map<String, String> agent,
            Function<String, @Nullable String> environment,
            Function<String, @Nullable String> secrets,
            String whereToSet) {
        this.agent = Map.copyOf(agent);
        this.environment = environment;
        this.secrets = secrets;
        this.whereToSet = whereToSet;
    }

    /**
     * The same, with secrets that hubs sealed for this host.
     *
     * @param known those that the file lists, of those that are here
     */
    public AgentPlaceholders withSecrets(Function<String, @Nullable String> known) {
        return new AgentPlaceholders(agent, environment, known, whereToSet);
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
                _ -> null,
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
                problems.add(place.group() + " " + fix(place.group(1)));
            }
        }
        return problems;
    }

    private String fix(String kind) {
        return switch (kind) {
            case "env" -> whereToSet;
            case "secret" ->
                    "is not here, or the file does not list it under secrets; set it at the hub with: skep secrets set NAME --host HOST";
            default ->
                    "is not known; use agent."
                            + String.join(", agent.", agent.keySet().stream().sorted().toList());
        };
    }

    /**
     * The values from the environment, and secrets, that a text uses: not to be stored or shown.
     */
    public List<String> secretsIn(String text) {
        List<String> values = new ArrayList<>();
        Matcher place = PLACE.matcher(text);
        while (place.find()) {
            String value = value(place.group(1), place.group(2));
            if (!place.group(1).equals("agent") && value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private @Nullable String value(String kind, String name) {
        return switch (kind) {
            case "env" -> environment.apply(name);
            case "secret" -> secrets.apply(name);
            default -> agent.get(name);
        };
    }
}
