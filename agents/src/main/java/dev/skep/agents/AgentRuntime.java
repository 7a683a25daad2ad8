package dev.skep.agents;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What thinks for an agent, as the text of its file says it. The file itself is not judged: the
 * version that wrote it may know more keys than this one.
 *
 * @param name {@code skep} for our own loop
 * @param metered whether each of its calls is counted in dollars; a runtime that is signed in by
 *     itself is not
 */
public record AgentRuntime(String name, boolean metered) {
    public static final AgentRuntime OWN_LOOP = new AgentRuntime("skep", true);

    private static final Pattern NAME = key("runtime", "[a-z0-9][a-z0-9_-]{0,31}");
    private static final Pattern AUTH = key("auth", "[a-z]{1,20}");

    /** Where an agent's file ends and the scripts that go along with it begin. */
    private static final Pattern SCRIPTS = Pattern.compile("(?m)^--- # file: ");

    private static Pattern key(String name, String value) {
        return Pattern.compile(
                "(?m)^%s:[ \\t]*[\"']?(%s)[\"']?[ \\t]*(#.*)?\\r?$".formatted(name, value));
    }

    public static AgentRuntime of(@Nullable String config) {
        if (config == null || !config.contains("runtime")) {
            return OWN_LOOP;
        }
        Matcher scripts = SCRIPTS.matcher(config);
        String file = scripts.find() ? config.substring(0, scripts.start()) : config;
        Matcher name = NAME.matcher(file);
        if (!name.find() || name.group(1).equals(OWN_LOOP.name())) {
            return OWN_LOOP;
        }
        Matcher auth = AUTH.matcher(file);
        return new AgentRuntime(name.group(1), !auth.find() || !auth.group(1).equals("login"));
    }
}
