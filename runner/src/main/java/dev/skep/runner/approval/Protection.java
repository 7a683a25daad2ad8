package dev.skep.runner.approval;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides from a command's text whether it runs, is refused, or waits for a person. The lists hold
 * whole commands with {@code *} for anything. A deny list keeps an honest agent from mistakes; it
 * is not a security boundary, since bash has too many ways to write a command. Thread-safe.
 */
public final class Protection {
    /** What happens to a command that no list names. */
    public enum Mode {
        NONE,
        MANUAL
    }

    /** What is to happen to one command. */
    public sealed interface Verdict {
        record Run() implements Verdict {}

        record Refuse(String rule) implements Verdict {}

        record Ask() implements Verdict {}
    }

    /** What starts a command inside another, or writes where no list looks. */
    private static final Pattern NESTED = Pattern.compile("\\$\\(|`|[<>]|\\$\\{");

    private static final Pattern SEPARATOR = Pattern.compile("\\|\\|?|&&?|;|\\n");

    private final Mode mode;
    private final List<String> allow;
    private final List<String> allowedSince = new CopyOnWriteArrayList<>();
    private final List<Pattern> deny;
    private final List<String> denyText;

    public Protection(Mode mode, List<String> allow, List<String> deny) {
        this.mode = mode;
        this.allow = List.copyOf(allow);
        this.deny = deny.stream().map(Protection::glob).toList();
        this.denyText = List.copyOf(deny);
    }

    /** Allows this too from now on, as the agent's file will from its next start on. */
    public void alsoAllow(String rule) {
        allowedSince.add(rule);
    }

    public Verdict evaluate(String command) {
        List<String> parts = parts(command);
        for (int i = 0; i < deny.size(); i++) {
            Pattern rule = deny.get(i);
            if (matches(rule, command.strip())
                    || parts.stream().anyMatch(part -> matches(rule, part))) {
                return new Verdict.Refuse(denyText.get(i));
            }
        }
        if (mode == Mode.NONE) {
            return new Verdict.Run();
        }
        return isAllowed(command, parts) ? new Verdict.Run() : new Verdict.Ask();
    }

    private boolean isAllowed(String command, List<String> parts) {
        List<String> rules = Stream.concat(allow.stream(), allowedSince.stream()).toList();
        // A person read the whole of it, whatever it has inside.
        if (rules.stream().anyMatch(rule -> isWhole(rule, command))) {
            return true;
        }
        List<Pattern> patterns = rules.stream().map(Protection::glob).toList();
        return !NESTED.matcher(command).find()
                && !parts.isEmpty()
                && parts.stream()
                        .allMatch(p -> patterns.stream().anyMatch(rule -> matches(rule, p)));
    }

    private static boolean isWhole(String rule, String command) {
        return !rule.contains("*") && rule.strip().equals(command.strip());
    }

    /**
     * The single commands of a line. Quotes are not looked at: splitting too much only asks more.
     */
    private static List<String> parts(String command) {
        return SEPARATOR
                .splitAsStream(command)
                .filter(part -> !part.isBlank())
                .map(part -> part.strip().replaceAll("\\s+", " "))
                .toList();
    }

    private static boolean matches(Pattern rule, String command) {
        return rule.matcher(command).matches();
    }

    private static Pattern glob(String text) {
        String regex =
                Arrays.stream(text.strip().split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
        return Pattern.compile(regex, Pattern.DOTALL);
    }
}
