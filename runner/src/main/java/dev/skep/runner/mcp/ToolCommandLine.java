package dev.skep.runner.mcp;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A command line that calls a tool: {@code tool SERVER.NAME {…}}.
 *
 * @param arguments a JSON object
 */
public record ToolCommandLine(String server, String tool, String arguments) {
    /** The first word of such a line. */
    public static final String WORD = "tool";

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Reads what stands after the first word; empty if it is no call. */
    public static Optional<ToolCommandLine> of(String rest) {
        String text = rest.strip();
        int space = text.indexOf(' ');
        String called = space < 0 ? text : text.substring(0, space);
        String arguments = space < 0 ? "{}" : text.substring(space + 1).strip();
        int dot = called.indexOf('.');
        if (dot < 1 || dot == called.length() - 1 || !isObject(arguments)) {
            return Optional.empty();
        }
        return Optional.of(
                new ToolCommandLine(
                        called.substring(0, dot), called.substring(dot + 1), arguments));
    }

    private static boolean isObject(String json) {
        try {
            return JSON.readTree(json).isObject();
        } catch (JacksonException notJson) {
            return false;
        }
    }

    JsonNode json() {
        return JSON.readTree(arguments);
    }

    /** What the rules of protection are matched with. */
    public String called() {
        return server + "." + tool;
    }
}
