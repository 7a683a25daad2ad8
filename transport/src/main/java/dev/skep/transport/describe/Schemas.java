package dev.skep.transport.describe;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON schemas of Java types as {@code Json} writes and reads them. A component that may be null is
 * not required. Records become named components. Not thread-safe.
 */
public final class Schemas {
    private static final String PREFIX = "#/components/schemas/";

    private final Map<String, Map<String, Object>> components = new TreeMap<>();
    private final Map<String, Shape> named = new HashMap<>();

    /** The schemas of all records that came up so far, by name. */
    public Map<String, Map<String, Object>> components() {
        return components;
    }

    public Map<String, Object> of(Shape shape) {
        return schema(shape.type(), shape.of(), Map.of());
    }

    public Map<String, Object> of(Class<?> type) {
        return of(Shape.of(type));
    }

    /** What a reference refers to; other schemas as they are. */
    public Map<String, Object> resolve(Map<String, Object> schema) {
        return schema.get("$ref") instanceof String reference
                ? components.getOrDefault(reference.substring(PREFIX.length()), Map.of())
                : schema;
    }

    private Map<String, Object> schema(Type type, List<Class<?>> of, Map<String, Type> bound) {
        return switch (type) {
            case Class<?> raw -> ofClass(raw, of);
            case TypeVariable<?> variable -> schema(bound(variable, bound), List.of(), bound);
            case WildcardType wildcard -> schema(wildcard.getUpperBounds()[0], List.of(), bound);
            case ParameterizedType generic -> ofGeneric(generic, bound);
            default -> throw new IllegalArgumentException("no schema for " + type);
        };
    }

    private static Type bound(TypeVariable<?> variable, Map<String, Type> bound) {
        return bound.getOrDefault(variable.getName(), Object.class);
    }

    private Map<String, Object> ofGeneric(ParameterizedType generic, Map<String, Type> bound) {
        Class<?> raw = (Class<?>) generic.getRawType();
        Type[] arguments = generic.getActualTypeArguments();
        if (Collection.class.isAssignableFrom(raw)) {
            return Map.of("type", "array", "items", schema(arguments[0], List.of(), bound));
        }
        if (Map.class.isAssignableFrom(raw)) {
            return Map.of(
                    "type",
                    "object",
                    "additionalProperties",
                    schema(arguments[1], List.of(), bound));
        }
        if (raw == Optional.class) {
            return orNull(schema(arguments[0], List.of(), bound));
        }
        return ofClass(raw, Arrays.stream(arguments).<Class<?>>map(a -> raw(a, bound)).toList());
    }

    private static Class<?> raw(Type type, Map<String, Type> bound) {
        return switch (type) {
            case Class<?> raw -> raw;
            case ParameterizedType generic -> (Class<?>) generic.getRawType();
            case TypeVariable<?> variable -> raw(bound(variable, bound), bound);
            default -> Object.class;
        };
    }

    private Map<String, Object> ofClass(Class<?> type, List<Class<?>> of) {
        if (type == String.class) {
            return Map.of("type", "string");
        }
        if (type == boolean.class || type == Boolean.class) {
            return Map.of("type", "boolean");
        }
        if (type == int.class || type == Integer.class) {
            return Map.of("type", "integer", "format", "int32");
        }
        if (type == long.class || type == Long.class) {
            return Map.of("type", "integer", "format", "int64");
        }
        if (type == double.class || type == Double.class) {
            return Map.of("type", "number");
        }
        if (type == Instant.class) {
            return Map.of("type", "string", "format", "date-time");
        }
        if (type.isEnum()) {
            return Map.of("type", "string", "enum", words(type));
        }
        if (type.isRecord()) {
            return reference(type, of);
        }
        if (type.isSealed()) {
            return Map.of(
                    "anyOf",
                    Arrays.stream(type.getPermittedSubclasses()).map(each -> of(each)).toList());
        }
        // Objects whose form another program decides, and views of several kinds.
        return type == Object.class ? Map.of() : Map.of("type", "object");
    }

    /** As Json writes and reads the constants. */
    public static List<String> words(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private Map<String, Object> reference(Class<?> type, List<Class<?>> of) {
        String name = name(type, of);
        Shape shape = new Shape(type, of);
        Shape earlier = named.putIfAbsent(name, shape);
        if (earlier != null && !earlier.equals(shape)) {
            throw new IllegalStateException(
                    "two records are called %s: %s and %s; rename one"
                            .formatted(name, earlier.type().getName(), type.getName()));
        }
        if (earlier == null) {
            components.put(name, Map.of());
            components.put(name, object(type, bound(type, of)));
        }
        return Map.of("$ref", PREFIX + name);
    }

    private static Map<String, Type> bound(Class<?> type, List<Class<?>> of) {
        TypeVariable<?>[] variables = type.getTypeParameters();
        Map<String, Type> bound = new HashMap<>();
        for (int i = 0; i < variables.length && i < of.size(); i++) {
            bound.put(variables[i].getName(), of.get(i));
        }
        return bound;
    }

    /** A record within another is known by both names, one within routes by its own. */
    private static String name(Class<?> type, List<Class<?>> of) {
        StringBuilder name = new StringBuilder();
        of.forEach(each -> name.append(each.getSimpleName()));
        Class<?> outer = type.getEnclosingClass();
        if (outer != null && !outer.getSimpleName().endsWith("Routes")) {
            name.append(outer.getSimpleName());
        }
        return name.append(type.getSimpleName()).toString();
    }

    private Map<String, Object> object(Class<?> type, Map<String, Type> bound) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Map<String, Object> schema = schema(component.getGenericType(), List.of(), bound);
            boolean optional = component.getType() == Optional.class;
            String name = name(component);
            if (isNullable(component)) {
                properties.put(name, orNull(schema));
            } else {
                properties.put(name, schema);
                if (!optional) {
                    required.add(name);
                }
            }
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("type", "object");
        object.put("properties", properties);
        if (!required.isEmpty()) {
            object.put("required", required);
        }
        return object;
    }

    private static String name(RecordComponent component) {
        JsonName other = component.getAnnotation(JsonName.class);
        return other == null ? component.getName() : other.value();
    }

    /** Whether a component may be null, and so be left out. */
    public static boolean isNullable(RecordComponent component) {
        AnnotatedElement type = component.getAnnotatedType();
        return type.isAnnotationPresent(Nullable.class);
    }

    private static Map<String, Object> orNull(Map<String, Object> schema) {
        if (schema.isEmpty()) {
            return schema;
        }
        if (schema.get("type") instanceof String type && !schema.containsKey("enum")) {
            Map<String, Object> nullable = new LinkedHashMap<>(schema);
            nullable.put("type", List.of(type, "null"));
            return nullable;
        }
        return Map.of("anyOf", List.of(schema, Map.of("type", "null")));
    }
}
