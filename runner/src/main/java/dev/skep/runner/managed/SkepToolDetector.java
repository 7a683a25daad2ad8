package dev.skep.runner.managed;

import dev.skep.runner.acp.PermissionRequest;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a runtime asks for one of the tools that we gave it. It believes only fields
 * that the runtime fills itself: a title may be the text of a command. What it does not know for
 * sure is not ours.
 */
final class SkepToolDetector {
    /** What runtimes know our tools' server by. */
    static final String SERVER = "skep";

    private static final Pattern NAME = Pattern.compile("[a-z][a-z_]{0,60}");
    private static final Pattern CLAUDE = Pattern.compile("mcp__skep__(" + NAME + ")");

    /** Gemini puts the name of the tool that it calls before whatever id the model made up. */
    private static final Pattern GEMINI = Pattern.compile("mcp_skep_(" + NAME + "?)__.*");

    private SkepToolDetector() {}

    /** The name of the tool, if it is surely ours. */
    static Optional<String> in(PermissionRequest request, ToolUse use) {
        return claude(request, use).or(() -> codex(request, use)).or(() -> gemini(request, use));
    }

    /** Claude Code says which server has the tool, and that a client brought the server. */
    private static Optional<String> claude(PermissionRequest request, ToolUse use) {
        Map<?, ?> claude = field(fields(request.toolMeta()), "claudeCode");
        Map<?, ?> server = field(claude, "mcpServer");
        Matcher name = CLAUDE.matcher(String.valueOf(claude.get("toolName")));
        return SERVER.equals(server.get("name"))
                        && "dynamic".equals(server.get("source"))
                        && use.kind().equals("other")
                        && name.matches()
                ? Optional.of(name.group(1))
                : Optional.empty();
    }

    /** Codex marks the request, and told of the call of which it has the id before. */
    private static Optional<String> codex(PermissionRequest request, ToolUse use) {
        Map<?, ?> input = fields(use.input());
        return Boolean.TRUE.equals(fields(request.meta()).get("is_mcp_tool_approval"))
                        && SERVER.equals(input.get("server"))
                        && input.get("arguments") instanceof Map<?, ?>
                        && !input.containsKey("command")
                        && input.get("tool") instanceof String tool
                        && NAME.matcher(tool).matches()
                ? Optional.of(tool)
                : Optional.empty();
    }

    /** Gemini offers to allow a whole server only where a server's tool is asked for. */
    private static Optional<String> gemini(PermissionRequest request, ToolUse use) {
        Matcher name = GEMINI.matcher(use.id());
        boolean ofAServer =
                request.options().stream()
                        .anyMatch(option -> option.id().equals("proceed_always_server"));
        return ofAServer
                        && use.kind().equals("other")
                        && use.diffs().isEmpty()
                        && name.matches()
                        && use.title().equals(name.group(1) + " (skep MCP Server)")
                ? Optional.of(name.group(1))
                : Optional.empty();
    }

    private static Map<?, ?> fields(@Nullable String json) {
        return json != null && LogDetailJson.values(json) instanceof Map<?, ?> fields
                ? fields
                : Map.of();
    }

    private static Map<?, ?> field(Map<?, ?> of, String name) {
        return of.get(name) instanceof Map<?, ?> fields ? fields : Map.of();
    }
}
