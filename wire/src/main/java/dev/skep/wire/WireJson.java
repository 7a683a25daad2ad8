package dev.skep.wire;

import dev.skep.kernel.row.Position;
import java.io.OutputStream;
import java.io.Writer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** The JSON library with our bounds, and the few reads every field needs. */
final class WireJson {
    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(WireLimits.MESSAGE)
                                    .maxNestingDepth(WireLimits.DEPTH)
                                    .maxNumberLength(WireLimits.NUMBER)
                                    .maxNameLength(WireLimits.NAME)
                                    .build())
                    .build();

    private WireJson() {}

    static JsonParser parser(byte[] json) {
        return FACTORY.createParser(ObjectReadContext.empty(), json);
    }

    static JsonParser parser(String json) {
        return FACTORY.createParser(ObjectReadContext.empty(), json);
    }

    static JsonGenerator generator(OutputStream out) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    }

    static JsonGenerator generator(Writer out) {
        return FACTORY.createGenerator(ObjectWriteContext.empty(), out);
    }

    static void expect(JsonToken found, JsonToken wanted, String what) {
        if (found != wanted) {
            throw new MalformedMessageException(what + " is not " + wanted);
        }
    }

    static String text(JsonParser in, String field) {
        if (in.currentToken() != JsonToken.VALUE_STRING) {
            throw new MalformedMessageException(field + " is not text");
        }
        return in.getString();
    }

    static boolean flag(JsonParser in, String field) {
        return switch (in.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw new MalformedMessageException(field + " is not true or false");
        };
    }

    static long number(JsonParser in, String field) {
        if (in.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw new MalformedMessageException(field + " is not a whole number");
        }
        return in.getLongValue();
    }

    /** A position travels as a decimal string, so that no JSON library rounds it. */
    static long position(JsonParser in, String field) {
        return position(text(in, field), field);
    }

    static long position(String digits, String field) {
        long value = 0;
        boolean plain = !digits.isEmpty() && digits.length() <= 18;
        for (int i = 0; plain && i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            plain = digit >= 0 && digit <= 9;
            value = value * 10 + digit;
        }
        if (!plain) {
            return longest(digits, field);
        }
        return value;
    }

    private static long longest(String digits, String field) {
        try {
            return Position.parse(digits);
        } catch (NumberFormatException e) {
            throw new MalformedMessageException(field + " is not a position");
        }
    }
}
