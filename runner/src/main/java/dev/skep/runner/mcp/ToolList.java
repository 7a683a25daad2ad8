package dev.skep.runner.mcp;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What is taken of a server's list of tools; the rest is counted. Used by one thread. */
final class ToolList {
    static final int MOST_TOOLS = 64;
    static final int MOST_PAGES = 20;
    private static final int LONGEST_DESCRIPTION = 1_000;
    private static final int LONGEST_SCHEMA = 8 * 1024;

    /** All of a server's tools together: they are part of each prompt. */
    private static final int LONGEST_LIST = 64 * 1024;

    private final String server;
    private final List<ServerTool> tools = new ArrayList<>();
    private int left;
    private int size;

    ToolList(String server) {
        this.server = server;
    }

    /** Takes one page; the cursor of the next, or null. */
    @Nullable String add(JsonNode result) {
        for (JsonNode tool : result.path("tools")) {
            add(tool.path("name").asString(""), tool);
        }
        String cursor = result.path("nextCursor").asString("");
        return cursor.isEmpty() ? null : cursor;
    }

    private void add(String name, JsonNode tool) {
        JsonNode given = tool.path("inputSchema");
        String schema = given.isObject() ? given.toString() : "{\"type\":\"object\"}";
        String words = tool.path("description").asString(tool.path("title").asString("")).strip();
        String description =
                words.length() > LONGEST_DESCRIPTION
                        ? words.substring(0, LONGEST_DESCRIPTION) + "…"
                        : words;
        int length = name.length() + description.length() + schema.length();
        boolean known = tools.stream().anyMatch(each -> each.name().equals(name));
        if (known
                || !name.matches("[A-Za-z0-9_./-]{1,128}")
                || schema.length() > LONGEST_SCHEMA
                || tools.size() >= MOST_TOOLS
                || size + length > LONGEST_LIST) {
            left++;
            return;
        }
        size += length;
        tools.add(new ServerTool(server, name, description.isEmpty() ? name : description, schema));
    }

    List<ServerTool> tools() {
        return List.copyOf(tools);
    }

    /** How many were left out: wrong names, too much text, too many. */
    int left() {
        return left;
    }
}
