package dev.skep.testkit.provider;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON into maps, lists, strings, numbers and booleans, and quotes strings for it. */
public final class JsonText {
    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /** Null for JSON's null; fails on what is not JSON. */
    public static @Nullable Object read(String text) {
        JsonText reader = new JsonText(text);
        Object value = reader.value();
        reader.space();
        if (reader.at != text.length()) {
            throw new IllegalArgumentException("more follows at " + reader.at);
        }
        return value;
    }

    /** What is at the end of a path of names and places, or null. */
    public static @Nullable Object at(@Nullable Object root, Object... path) {
        @Nullable Object value = root;
        for (Object step : path) {
            if (step instanceof String name && value instanceof Map<?, ?> map) {
                value = map.get(name);
            } else if (step instanceof Integer place
                    && value instanceof List<?> list
                    && place < list.size()) {
                value = list.get(place);
            } else {
                return null;
            }
        }
        return value;
    }

    /** A string as JSON writes it, with its quotes. */
    public static String quote(String plain) {
        StringBuilder quoted = new StringBuilder(plain.length() + 2).append('"');
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                default -> quoted.append(c < ' ' ? "\\u%04x".formatted((int) c) : c);
            }
        }
        return quoted.append('"').toString();
    }

    private @Nullable Object value() {
        space();
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        at++;
        for (space(); text.charAt(at) != '}'; space()) {
            if (!members.isEmpty()) {
                expect(',');
                space();
            }
            String name = string();
            space();
            expect(':');
            members.put(name, value());
        }
        at++;
        return members;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> values = new ArrayList<>();
        at++;
        for (space(); text.charAt(at) != ']'; space()) {
            if (!values.isEmpty()) {
                expect(',');
            }
            values.add(value());
        }
        at++;
        return values;
    }

    private String string() {
        expect('"');
        StringBuilder plain = new StringBuilder();
        for (char c = text.charAt(at++); c != '"'; c = text.charAt(at++)) {
            plain.append(c == '\\' ? escaped() : c);
        }
        return plain.toString();
    }

    private char escaped() {
        char c = text.charAt(at++);
        return switch (c) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> c;
        };
    }

    private Object number() {
        int begin = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String digits = text.substring(begin, at);
        return digits.matches("-?[0-9]{1,18}")
                ? (Object) Long.valueOf(digits)
                : (Object) Double.valueOf(digits);
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw new IllegalArgumentException("not JSON at " + at);
        }
        at += word.length();
        return value;
    }

    private void expect(char wanted) {
        if (text.charAt(at) != wanted) {
            throw new IllegalArgumentException("no %s at %d".formatted(wanted, at));
        }
        at++;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }
}
