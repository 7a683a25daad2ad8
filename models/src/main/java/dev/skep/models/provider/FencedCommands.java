package dev.skep.models.provider;

import java.util.List;
import java.util.regex.Pattern;

/** Commands in the text of models that cannot call tools. */
final class FencedCommands {
    static final String HOW_TO =
            """


            To run a command, write it in a block of its own, and nothing else in that block:
            ```bash
            the command line
            ```
            You are then shown its output.""";

    private static final Pattern BLOCK =
            Pattern.compile("(?ms)^```(?:bash|sh|shell)[ \\t]*\\n(.*?)^```[ \\t]*$");

    private FencedCommands() {}

    static List<String> of(String text) {
        return BLOCK.matcher(text)
                .results()
                .map(match -> match.group(1).strip())
                .filter(command -> !command.isEmpty())
                .toList();
    }
}
