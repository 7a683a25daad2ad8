package dev.skep.testkit.acp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, text, numbers and truth values; only what the fixtures need. */
public final class FixtureJson {
    private final String text;
    private int at;

    private FixtureJson(String text) {
        this.text = text;
    }

    /** The value of a text; throws IllegalArgumentException if it is none. */
    public static @Nullable Object read(String text) {
        FixtureJson json = new FixtureJson(text);
        Object value = json.value();
        json.blank();
        if (json.at != text.length()) {
            throw json.wrong();
        }
        return value;
    }

    /** An object; empty if the value is none. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    /** A list; empty if the value is none. */
    @SuppressWarnings("unchecked")
    public static List<Object> list(@Nullable Object value) {
        return value instanceof List<?> list ? (List<Object>) list : List.of();
    }

    /** What is found along a path of names and numbers; null if there is nothing. */
    public static @Nullable Object at(@Nullable Object value, Object... path) {
        Object found = value;
        for (Object step : path) {
            if (step instanceof Integer place) {
                List<Object> list = list(found);
                found = place < list.size() ? list.get(place) : null;
            } else {
                found = object(found).get(step);
            }
        }
        return found;
    }

    /** The same as text; empty if there is nothing. */
    public static String text(@Nullable Object value, Object... path) {
        Object found = at(value, path);
        return found == null ? "" : found.toString();
    }

    /** An object of names and values, in this order. */
    public static Map<String, Object> of(@Nullable Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    public static String write(@Nullable Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> {
                String comma = "{";
                for (Map.Entry<?, ?> each : map.entrySet()) {
                    out.append(comma);
                    quote(String.valueOf(each.getKey()), out);
                    out.append(':');
                    write(each.getValue(), out);
                    comma = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                String comma = "[";
                for (Object each : list) {
                    out.append(comma);
                    write(each, out);
                    comma = ",";
                }
                out.append(list.isEmpty() ? "[]" : "]");
            }
            case String string -> quote(string, out);
            case null, default -> out.append(value);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < string.length(); i++) {
            char each = string.charAt(i);
            switch (each) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> {
                    if (each < ' ') {
                        out.append("\\u%04x".formatted((int) each));
                    } else {
                        out.append(each);
                    }
                }
            }
        }
        out.append('"');
    }

    private @Nullable Object value() {
        blank();
        char first = at < text.length() ? text.charAt(at) : ' ';
        return switch (first) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        at++;
        blank();
        while (!took('}')) {
            if (!object.isEmpty()) {
                expect(',');
                blank();
            }
            String name = string();
            blank();
            expect(':');
            object.put(name, value());
            blank();
        }
        return object;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        at++;
        blank();
        while (!took(']')) {
            if (!list.isEmpty()) {
                expect(',');
            }
            list.add(value());
            blank();
        }
        return list;
    }

    private String string() {
        expect('"');
        StringBuilder read = new StringBuilder();
        while (!took('"')) {
            char each = next();
            read.append(each == '\\' ? escaped() : each);
        }
        return read.toString();
    }

    private char escaped() {
        char each = next();
        return switch (each) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> {
                at += 4;
                yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
            }
            default -> each;
        };
    }

    private Object number() {
        int from = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        String number = text.substring(from, at);
        if (number.isEmpty()) {
            throw wrong();
        }
        return number.matches("-?\\d+") ? (Object) Long.valueOf(number) : Double.valueOf(number);
    }

    private @Nullable Object word(String word, @Nullable Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong();
        }
        at += word.length();
        return value;
    }

    private void blank() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char next() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at++);
    }

    private boolean took(char wanted) {
        if (at >= text.length()) {
            throw wrong();
        }
        boolean there = text.charAt(at) == wanted;
        at += there ? 1 : 0;
        return there;
    }

    private void expect(char wanted) {
        if (!took(wanted)) {
            throw wrong();
        }
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at " + at);
    }
}
