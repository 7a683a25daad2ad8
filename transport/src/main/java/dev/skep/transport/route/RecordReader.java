package dev.skep.transport.route;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.describe.Schemas;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of a body into a record, by the types of its components. */
final class RecordReader {
    private RecordReader() {}

    static <R extends Record> R read(JsonFields fields, Class<R> type) {
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = value(fields, components[i]);
        }
        try {
            Constructor<R> constructor =
                    type.getDeclaredConstructor(
                            Arrays.stream(components)
                                    .map(RecordComponent::getType)
                                    .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof SkepException refused
                    ? refused
                    : new IllegalStateException(type + " refuses what its fields allow", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " cannot be read", e);
        }
    }

    private static @Nullable Object value(JsonFields fields, RecordComponent component) {
        String name = component.getName();
        if (fields.json(name).isEmpty()) {
            if (Schemas.isNullable(component)) {
                return null;
            }
            throw bad("field '%s' is missing".formatted(name));
        }
        return present(fields, name, component);
    }

    private static Object present(JsonFields fields, String name, RecordComponent component) {
        Class<?> type = component.getType();
        if (type == String.class) {
            return fields.text(name);
        }
        if (type == boolean.class || type == Boolean.class) {
            return truth(fields, name);
        }
        if (type == long.class || type == Long.class) {
            return fields.number(name);
        }
        if (type == int.class || type == Integer.class) {
            return small(name, fields.number(name));
        }
        if (type == Instant.class) {
            return time(name, fields.text(name));
        }
        if (type.isEnum()) {
            return constant(name, type, fields.text(name));
        }
        if (type == List.class && ofTexts(component, 0)) {
            return texts(fields, name);
        }
        if (type == Map.class && ofTexts(component, 1)) {
            return fields.object(name).orElseThrow().texts();
        }
        if (type.isRecord()) {
            return fields.object(name).orElseThrow().as(type.asSubclass(Record.class));
        }
        if (type == Object.class) {
            return fields.value(name);
        }
        throw new IllegalStateException("no field can be read as " + component.getGenericType());
    }

    private static boolean ofTexts(RecordComponent component, int argument) {
        return component.getGenericType() instanceof ParameterizedType generic
                && generic.getActualTypeArguments()[argument] == String.class;
    }

    private static List<String> texts(JsonFields fields, String name) {
        if (!fields.value(name).isArray()) {
            throw bad("field '%s' must be a list of texts".formatted(name));
        }
        return fields.textList(name);
    }

    private static boolean truth(JsonFields fields, String name) {
        if (!fields.value(name).isBoolean()) {
            throw bad("field '%s' must be true or false".formatted(name));
        }
        return fields.flag(name);
    }

    private static int small(String name, long number) {
        if (number != (int) number) {
            throw bad("field '%s' is out of range".formatted(name));
        }
        return (int) number;
    }

    private static Instant time(String name, String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw bad("field '%s' must be a time like 2026-11-15T08:00:00Z".formatted(name));
        }
    }

    private static Object constant(String name, Class<?> type, String word) {
        for (Object each : type.getEnumConstants()) {
            if (((Enum<?>) each).name().toLowerCase(Locale.ROOT).equals(word)) {
                return each;
            }
        }
        throw bad(
                "field '%s' must be one of %s"
                        .formatted(name, String.join(", ", Schemas.words(type))));
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
