package dev.skep.models.scripted;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** A regular expression in a script, looked for line by line and case by case. */
public record Regex(Pattern pattern) {
    public static Regex parse(String text) {
        try {
            return new Regex(Pattern.compile(text, Pattern.MULTILINE));
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "'%s' is not a regular expression: %s".formatted(text, e.getDescription()), e);
        }
    }

    Optional<MatchResult> find(String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.toMatchResult()) : Optional.empty();
    }
}
