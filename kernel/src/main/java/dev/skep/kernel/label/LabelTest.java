package dev.skep.kernel.label;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One condition on the labels of a host: {@code zone=ams|fra}, {@code os!=macos}, {@code
 * memory>=32}, or a label's name alone, which asks that the host has it.
 *
 * @param values what is compared with, one of which has to fit; none if only the name is asked for
 */
public record LabelTest(String label, Operator operator, List<String> values) {
    /** What a label is called. */
    public static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,62}");

    private static final Pattern SHAPE = Pattern.compile("([^\\s=!<>~|:]*)\\s*([=!<>~:]*)\\s*(.*)");
    private static final int MOST_VALUES = 32;
    private static final int LONGEST_VALUE = 200;

    /** How a label's value is compared. */
    public enum Operator {
        PRESENT(""),
        EQUAL("="),
        /** Also true where the host has no such label. */
        NOT_EQUAL("!="),
        AT_LEAST(">="),
        AT_MOST("<=");

        private final String written;

        Operator(String written) {
            this.written = written;
        }

        private boolean isOfNumbers() {
            return this == AT_LEAST || this == AT_MOST;
        }
    }

    public LabelTest {
        values = List.copyOf(values);
    }

    /** Reads one test; refuses what it does not know, by name. */
    public static LabelTest parse(String text) {
        Matcher parts = SHAPE.matcher(text.strip());
        if (!parts.matches() || !NAME.matcher(parts.group(1)).matches()) {
            throw bad(
                    "'%s' is no label test; write for example gpu=a100, zone=ams|fra, os!=macos, memory>=32 or runtime.claude"
                            .formatted(text.strip()));
        }
        Operator operator = operator(text.strip(), parts.group(2));
        if (operator == Operator.PRESENT && !parts.group(3).isEmpty()) {
            throw bad(
                    "'%s' has no operator; use =, !=, >= or <=, and commas between tests"
                            .formatted(text.strip()));
        }
        return new LabelTest(parts.group(1), operator, values(text, operator, parts.group(3)));
    }

    private static Operator operator(String text, String written) {
        return Arrays.stream(Operator.values())
                .filter(each -> each.written.equals(written))
                .findFirst()
                .orElseThrow(
                        () ->
                                bad(
                                        "'%s' has the unknown operator %s; use =, !=, >= or <="
                                                .formatted(text, written)));
    }

    private static List<String> values(String text, Operator operator, String written) {
        if (operator == Operator.PRESENT) {
            return List.of();
        }
        List<String> values =
                Arrays.stream(written.split("\\|", -1)).map(String::strip).distinct().toList();
        boolean unusable =
                values.size() > MOST_VALUES
                        || values.stream().anyMatch(v -> v.isEmpty() || v.length() > LONGEST_VALUE);
        if (unusable) {
            throw bad(
                    "'%s' needs values of 1 to %d characters, at most %d with | between them"
                            .formatted(text.strip(), LONGEST_VALUE, MOST_VALUES));
        }
        boolean comparable = values.size() == 1 && number(values.getFirst()).isPresent();
        if (operator.isOfNumbers() && !comparable) {
            throw bad(
                    "'%s' compares with '%s', which is no number; write for example memory>=32"
                            .formatted(text.strip(), written));
        }
        return values;
    }

    /** Whether a host with these labels fits. */
    public boolean fits(Map<String, String> labels) {
        @Nullable String value = labels.get(label);
        return switch (operator) {
            case PRESENT -> value != null;
            case EQUAL -> value != null && values.contains(value);
            case NOT_EQUAL -> value == null || !values.contains(value);
            case AT_LEAST -> value != null && number(value).orElse(Double.NaN) >= bound();
            case AT_MOST -> value != null && number(value).orElse(Double.NaN) <= bound();
        };
    }

    private double bound() {
        return number(values.getFirst()).orElseThrow();
    }

    private static OptionalDouble number(String text) {
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? OptionalDouble.of(number) : OptionalDouble.empty();
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }

    /** As people write it. */
    @Override
    public String toString() {
        return label + operator.written + values.stream().collect(Collectors.joining("|"));
    }
}
