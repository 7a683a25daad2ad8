package dev.skep.runner.command;

import dev.skep.shell.ShellOutcome;

/** Outcomes of the shell as agents read them. */
public final class ShellText {
    private ShellText() {}

    public static String of(ShellOutcome outcome) {
        String output = outcome.output().text().stripTrailing();
        return switch (outcome) {
            case ShellOutcome.Finished(var status, _, _) when status == 0 ->
                    output.isEmpty() ? "[done, no output]" : output;
            case ShellOutcome.Finished(var status, _, _) ->
                    join(output, "[exit status %d]".formatted(status));
            case ShellOutcome.StillRunning _ ->
                    join(
                            output,
                            "[still running: 'shell wait', 'shell type \"TEXT\"' or 'shell kill']");
            case ShellOutcome.Ended(var reason, _) -> join(output, "[" + reason + "]");
        };
    }

    private static String join(String output, String note) {
        return output.isEmpty() ? note : output + "\n" + note;
    }
}
