package dev.skep.runner.command;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command line split the way bash splits it, as far as built-in commands go: quotes, backslashes
 * and one here-document, but no variables and no operators.
 */
final class CommandLineParser {
    private static final String OPERATORS = "|&;<>()`";

    /** What became of a line. */
    sealed interface Parsed {}

    /** A plain command. */
    record Plain(List<String> words, @Nullable String input) implements Parsed {}

    /** One that cannot be a built-in command as it stands. */
    record Refused(String problem) implements Parsed {}

    private final String line;
    private final List<String> words = new ArrayList<>();
    private int at;

    private CommandLineParser(String line) {
        this.line = line;
    }

    static Parsed of(String line) {
        return new CommandLineParser(line.strip()).parse();
    }

    /** The first word, which names the command. */
    static String first(String line) {
        String text = line.strip();
        int end = 0;
        while (end < text.length()
                && (Character.isLetterOrDigit(text.charAt(end))
                        || "-_./".indexOf(text.charAt(end)) >= 0)) {
            end++;
        }
        return text.substring(0, end);
    }

    private Parsed parse() {
        while (at < line.length()) {
            char c = line.charAt(at);
            if (line.startsWith("<<", at) && !line.startsWith("<<<", at)) {
                return hereDocument();
            }
            if (c == '\n') {
                return new Refused("one built-in command at a time; run the next line separately");
            }
            if (OPERATORS.indexOf(c) >= 0) {
                return new Refused(
                        "built-in commands cannot be combined with '%c'; run it alone, and quote texts"
                                .formatted(c));
            }
            if (Character.isWhitespace(c)) {
                at++;
            } else if (!word()) {
                return new Refused("a quote is not closed");
            }
        }
        return new Plain(words, null);
    }

    /** Reads one word; false if a quote in it has no end. */
    private boolean word() {
        StringBuilder word = new StringBuilder();
        while (at < line.length()) {
            char c = line.charAt(at);
            if (Character.isWhitespace(c) || OPERATORS.indexOf(c) >= 0) {
                break;
            }
            at++;
            if (c == '\'' || c == '"') {
                if (!quoted(c, word)) {
                    return false;
                }
            } else if (c == '\\' && at < line.length()) {
                word.append(line.charAt(at++));
            } else {
                word.append(c);
            }
        }
        words.add(word.toString());
        return true;
    }

    private boolean quoted(char quote, StringBuilder word) {
        while (at < line.length()) {
            char c = line.charAt(at++);
            if (c == quote) {
                return true;
            }
            if (quote == '"'
                    && c == '\\'
                    && at < line.length()
                    && "\"\\$`".indexOf(line.charAt(at)) >= 0) {
                word.append(line.charAt(at++));
            } else {
                word.append(c);
            }
        }
        return false;
    }

    private Parsed hereDocument() {
        int lineEnd = line.indexOf('\n', at);
        if (lineEnd < 0) {
            return new Refused("the here-document has no text; put it on the lines below");
        }
        String marker =
                line.substring(at + 2, lineEnd)
                        .strip()
                        .replaceFirst("^-", "")
                        .replaceAll("['\"]", "");
        String rest = line.substring(lineEnd + 1);
        StringBuilder text = new StringBuilder();
        for (String each : rest.split("\n", -1)) {
            if (each.strip().equals(marker)) {
                return new Plain(words, text.toString().stripTrailing());
            }
            text.append(each).append('\n');
        }
        return new Refused("the here-document has no closing line '%s'".formatted(marker));
    }
}
