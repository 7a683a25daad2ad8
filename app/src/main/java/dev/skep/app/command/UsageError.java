package dev.skep.app.command;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A command line that names something that does not exist, explained to a person.
 *
 * @param message what is wrong with it
 * @param fix what to do instead
 */
record UsageError(String message, String fix) {
    private static final Pattern NO_NUMBER = Pattern.compile("is not an? (int|long)");
    private static final Pattern NONE_OF =
            Pattern.compile("expected one of \\[(.*)] \\(case-insensitive\\) but was (.*)");

    static UsageError of(ParameterException failure) {
        CommandSpec command = failure.getCommandLine().getCommandSpec();
        String help = "see " + command.qualifiedName() + " --help";
        if (failure instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched, command, help);
        }
        return new UsageError(plain(String.valueOf(failure.getMessage())), help);
    }

    private static UsageError unmatched(
            UnmatchedArgumentException failure, CommandSpec command, String help) {
        String word = failure.getUnmatched().getFirst();
        if (word.startsWith("-")) {
            return new UsageError(
                    plain(String.valueOf(failure.getMessage())), fix(failure, word, help));
        }
        boolean isCommand =
                !command.subcommands().isEmpty() && command.positionalParameters().isEmpty();
        return isCommand
                ? new UsageError(
                        "there is no command '%s %s'".formatted(command.qualifiedName(), word),
                        fix(failure, word, help))
                : new UsageError("'%s' is one word too many".formatted(word), help);
    }

    /** What was meant, if anything is near: a slip is rarely in the first letter. */
    private static String fix(UnmatchedArgumentException failure, String word, String help) {
        List<String> near =
                failure.getSuggestions().stream()
                        .filter(each -> each.charAt(0) == word.charAt(0))
                        .toList();
        return near.isEmpty() ? help : "did you mean " + String.join(" or ", near) + "?";
    }

    private static String plain(String message) {
        Matcher noneOf = NONE_OF.matcher(message);
        String text =
                noneOf.find()
                        ? noneOf.replaceFirst(
                                match ->
                                        match.group(2)
                                                + " is none of "
                                                + match.group(1).toLowerCase(Locale.ROOT))
                        : message;
        return NO_NUMBER.matcher(text).replaceFirst("is not a whole number");
    }
}
