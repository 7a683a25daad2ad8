package dev.skep.models.provider;

import dev.skep.models.ToolOffer;
import java.util.List;
import java.util.regex.Pattern;

/** Commands in the text of models that cannot call tools. */
final class FencedCommands {
    private static final String HOW_TO =
            """


            To run a command, write it in a block of its own, and nothing else in that block:
            ```bash
            the command line
            ```
            You are then shown its output.""";

    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^```(?:bash|sh|shell)[ \\t]*\\n(.*?)^```[ \\t]*$");

    private FencedCommands() {}

    /** What such a model is told, with its tools as the command lines that call them. */
    static String howTo(List<ToolOffer> tools) {
        StringBuilder text = new StringBuilder(HOW_TO);
        if (!tools.isEmpty()) {
            text.append("\n\nThese command lines call tools; the arguments are one JSON object:");
        }
        for (ToolOffer tool : tools) {
            text.append(
                    "\n%s {…}: %s\n  arguments: %s"
                            .formatted(tool.line(), tool.description(), tool.schema()));
        }
        return text.toString();
    }

    static List<String> of(String text) {
        return BLOCK.matcher(text)
                .results()
                .map(match -> match.group(1).strip())
                .filter(command -> !command.isEmpty())
                .toList();
    }
}
