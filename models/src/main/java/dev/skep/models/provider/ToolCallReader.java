package dev.skep.models.provider;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.skep.models.CommandCall;
import dev.skep.models.ModelReply.Stop;
import dev.skep.models.ToolOffer;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads a model's tool calls as commands. A wrong call is the model's mistake and not its
 * provider's: it becomes a call with a problem that says what to write instead.
 */
final class ToolCallReader {
    static final String TOOL = "run";
    static final String ARGUMENT = "command";

    private static final String EXPECTED =
            "call '%s' with the one argument '%s', a string".formatted(TOOL, ARGUMENT);

    private static final JsonMapper JSON = JsonMapper.shared();

    private ToolCallReader() {}

    static CommandCall read(
            String id, ToolExecutionRequest wanted, Stop stop, List<ToolOffer> offered) {
        String name = wanted.name() == null ? "" : wanted.name();
        String written = wanted.arguments() == null ? "" : wanted.arguments();
        for (ToolOffer offer : offered) {
            if (offer.name().equals(name)) {
                return read(id, offer, written, stop);
            }
        }
        if (!name.equals(TOOL)) {
            return wrong(id, name, written, "there is no tool '%s'".formatted(name));
        }
        JsonNode arguments;
        try {
            arguments = JSON.readTree(written.isBlank() ? "{}" : written);
        } catch (JacksonException notJson) {
            return wrong(id, name, written, notJson(name, stop));
        }
        JsonNode command = arguments.path(ARGUMENT);
        if (command.isString()) {
            return new CommandCall(id, command.asString());
        }
        return wrong(id, name, written, problem(arguments, command));
    }

    private static CommandCall read(String id, ToolOffer offer, String written, Stop stop) {
        try {
            JsonNode arguments = JSON.readTree(written.isBlank() ? "{}" : written);
            if (arguments.isObject()) {
                return new CommandCall(id, offer.call(arguments.toString()));
            }
        } catch (JacksonException notJson) {
            // It is told below.
        }
        return new CommandCall(
                id,
                (offer.name() + " " + written).strip(),
                notJson(offer.name(), stop) + "; its arguments are one JSON object");
    }

    private static String notJson(String name, Stop stop) {
        return stop == Stop.OUTPUT_LIMIT
                ? "your reply reached its longest before this call was whole; write less at once"
                : "the arguments of '%s' are not JSON".formatted(name);
    }

    static boolean isObject(String json) {
        try {
            return JSON.readTree(json).isObject();
        } catch (JacksonException notJson) {
            return false;
        }
    }

    private static String problem(JsonNode arguments, JsonNode command) {
        if (!arguments.isObject()) {
            return "the arguments of '%s' are %s and not an object"
                    .formatted(TOOL, type(arguments));
        }
        if (!command.isMissingNode()) {
            return "the argument '%s' of '%s' is %s and not a string"
                    .formatted(ARGUMENT, TOOL, type(command));
        }
        String given =
                arguments.propertyNames().stream()
                        .limit(5)
                        .map("'%s'"::formatted)
                        .collect(Collectors.joining(", "));
        return given.isEmpty()
                ? "'%s' was called without its argument '%s'".formatted(TOOL, ARGUMENT)
                : "'%s' has no argument %s; '%s' is missing".formatted(TOOL, given, ARGUMENT);
    }

    private static String type(JsonNode node) {
        return switch (node.getNodeType()) {
            case ARRAY -> "a list";
            case OBJECT -> "an object";
            case NUMBER -> "a number";
            case BOOLEAN -> "true or false";
            case STRING -> "a string";
            default -> "null";
        };
    }

    /** For a provider that reports only that there was a call it could not read. */
    static CommandCall unreadable(String id) {
        return wrong(id, "", "(a call that could not be read)", "your call could not be read");
    }

    private static CommandCall wrong(String id, String name, String arguments, String why) {
        return new CommandCall(
                id, (name + " " + arguments).strip(), "%s; %s".formatted(why, EXPECTED));
    }
}
