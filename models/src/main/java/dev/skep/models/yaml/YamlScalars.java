package dev.skep.models.yaml;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Single values from text. Besides the types below, any class with a public static {@code
 * parse(String)} that throws IllegalArgumentException.
 */
final class YamlScalars {
    private static final Pattern DURATION = Pattern.compile("(\\d+) *(ms|s|m|h|d)");

    private YamlScalars() {}

    static boolean isScalar(Class<?> type) {
        return type == String.class
                || type.isPrimitive()
                || Number.class.isAssignableFrom(type)
                || type == Boolean.class
                || type == Duration.class
                || type.isEnum()
                || parser(type) != null;
    }

    /** Reads a value or throws IllegalArgumentException with a message that says what to write. */
    static Object read(Class<?> type, String text) {
        if (type == String.class) {
            return text;
        }
        if (type == boolean.class || type == Boolean.class) {
            return truth(text);
        }
        if (type == Duration.class) {
            return duration(text);
        }
        if (type.isEnum()) {
            return constant(type, text);
        }
        Method parser = parser(type);
        return parser == null ? number(type, text) : parsed(parser, text);
    }

    private static Object truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "'%s' is neither true nor false".formatted(text));
        };
    }

    private static Object number(Class<?> type, String text) {
        String plain = text.replace("_", "");
        try {
            if (type == int.class || type == Integer.class) {
                return Integer.parseInt(plain);
            }
            if (type == long.class || type == Long.class) {
                return Long.parseLong(plain);
            }
            if (type == double.class || type == Double.class) {
                return Double.parseDouble(plain);
            }
            return new BigDecimal(plain);
        } catch (NumberFormatException e) {
            boolean whole =
                    type != double.class && type != Double.class && type != BigDecimal.class;
            throw new IllegalArgumentException(
                    "'%s' is not a %s".formatted(text, whole ? "whole number" : "number"), e);
        }
    }

    private static Duration duration(String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'%s' is not a length of time; write for example 30s, 5m, 2h or 1d"
                            .formatted(text));
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            case "m" -> Duration.ofMinutes(count);
            case "h" -> Duration.ofHours(count);
            default -> Duration.ofDays(count);
        };
    }

    private static Object constant(Class<?> type, String text) {
        List<?> constants = Arrays.asList(type.getEnumConstants());
        return constants.stream()
                .filter(c -> word(c).equals(text))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "'%s' is none of %s"
                                                .formatted(
                                                        text,
                                                        constants.stream()
                                                                .map(YamlScalars::word)
                                                                .collect(
                                                                        Collectors.joining(
                                                                                ", ")))));
    }

    /** How an enum constant is written. */
    static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable Method parser(Class<?> type) {
        try {
            return type.getMethod("parse", String.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }

    private static Object parsed(Method parser, String text) {
        try {
            return parser.invoke(null, text);
        } catch (InvocationTargetException e) {
            Throwable refused = e.getCause() == null ? e : e.getCause();
            throw new IllegalArgumentException(String.valueOf(refused.getMessage()), e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
