package dev.skep.transport.mcp;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One argument of a tool: its description for clients, and the check of what they send. */
public record ToolArgument(String name, Type type, boolean required, String description) {
    /** The shapes arguments have. */
    public sealed interface Type {
        record Text(int longest) implements Type {}

        /** An agent, by its id or its name; routes receive its id. */
        record Agent() implements Type {}

        /** A host, by its id or its name; routes receive its id. */
        record Host() implements Type {}

        record Choice(List<String> words) implements Type {}

        record Whole(long least, long most) implements Type {}

        /** Several texts. */
        record Texts() implements Type {}

        /** A JSON object that the route checks itself. */
        record Anything() implements Type {}
    }

    public static ToolArgument text(String name, String description) {
        return new ToolArgument(name, new Type.Text(10_000), true, description);
    }

    /** A text that may be longer than others. */
    public static ToolArgument longText(String name, int longest, String description) {
        return new ToolArgument(name, new Type.Text(longest), true, description);
    }

    public static ToolArgument agent(String description) {
        return new ToolArgument("agent", new Type.Agent(), true, description);
    }

    public static ToolArgument host(String name, String description) {
        return new ToolArgument(name, new Type.Host(), true, description);
    }

    public static ToolArgument choice(String name, List<String> words, String description) {
        return new ToolArgument(name, new Type.Choice(words), true, description);
    }

    public static ToolArgument number(String name, long least, long most, String description) {
        return new ToolArgument(name, new Type.Whole(least, most), true, description);
    }

    public static ToolArgument texts(String name, String description) {
        return new ToolArgument(name, new Type.Texts(), true, description);
    }

    public static ToolArgument object(String name, String description) {
        return new ToolArgument(name, new Type.Anything(), true, description);
    }

    public ToolArgument optional() {
        return new ToolArgument(name, type, false, description);
    }

    /** As JSON Schema has it. */
    public Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        switch (type) {
            case Type.Text(int longest) -> {
                schema.put("type", "string");
                schema.put("maxLength", longest);
            }
            case Type.Agent(), Type.Host() -> schema.put("type", "string");
            case Type.Choice(List<String> words) -> {
                schema.put("type", "string");
                schema.put("enum", words);
            }
            case Type.Whole(long least, long most) -> {
                schema.put("type", "integer");
                schema.put("minimum", least);
                schema.put("maximum", most);
            }
            case Type.Texts() -> {
                schema.put("type", "array");
                schema.put("items", Map.of("type", "string"));
            }
            case Type.Anything() -> schema.put("type", "object");
        }
        schema.put("description", description);
        return schema;
    }

    /** The value sent for it, as JSON; empty if it was left out and may be. */
    public Optional<String> checked(JsonFields given) {
        Optional<String> json = given.json(name);
        if (json.isEmpty()) {
            if (required) {
                throw bad("is missing");
            }
            return json;
        }
        switch (type) {
            case Type.Text(int longest) -> given.longText(name, longest);
            case Type.Agent(), Type.Host() -> given.text(name);
            case Type.Choice(List<String> words) -> {
                if (!words.contains(given.shown(name))) {
                    throw bad("must be one of " + String.join(", ", words));
                }
            }
            case Type.Whole(long least, long most) -> {
                long number = given.number(name);
                if (number < least || number > most) {
                    throw bad("must be from %d to %d".formatted(least, most));
                }
            }
            case Type.Texts() -> given.textList(name);
            case Type.Anything() -> {
                if (given.object(name).isEmpty()) {
                    throw bad("must be an object");
                }
            }
        }
        return json;
    }

    private SkepException bad(String why) {
        return new SkepException(ErrorCode.BAD_REQUEST, "argument '%s' %s".formatted(name, why));
    }
}
