package dev.skep.models.yaml;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Makes a record of a YAML mapping. A component is the key of its name in snake case; one without a
 * value is null if it is {@code @Nullable}, its {@link DefaultsTo} if it has one, empty if it is a
 * list or map, and otherwise a problem. What a record's constructor refuses is a problem too.
 */
public final class YamlBinder<T> {
    /** A key's value could not be made; the problem is noted. */
    private static final Object FAILED = new Object();

    private final String file;
    private final Class<T> type;
    private final List<YamlProblem> problems = new ArrayList<>();

    private YamlBinder(String file, Class<T> type) {
        this.file = file;
        this.type = type;
    }

    /** Reads a file; one that cannot be read is a problem like any other. */
    public static <T> BindingResult<T> read(Path path, Class<T> type) {
        try {
            return parse(path.toString(), Files.readString(path), type);
        } catch (IOException e) {
            return new BindingResult.Problems<>(
                    List.of(
                            new YamlProblem(
                                    path.toString(),
                                    1,
                                    1,
                                    "",
                                    "cannot be read as UTF-8 text: " + e.getMessage())));
        }
    }

    /** Reads a text; {@code file} is what problems call it. */
    public static <T> BindingResult<T> parse(String file, String text, Class<T> type) {
        return new YamlBinder<>(file, type).bind(text);
    }

    private BindingResult<T> bind(String text) {
        Object value = FAILED;
        try {
            Optional<Node> root =
                    YamlNodes.compose(LoadSettings.builder().setLabel(file).build(), text);
            if (root.isEmpty()) {
                problems.add(new YamlProblem(file, 1, 1, "", "is empty; it needs keys and values"));
            } else {
                value = record(type, root.get(), "");
            }
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark();
            problems.add(
                    new YamlProblem(
                            file,
                            mark.map(Mark::getLine).orElse(0) + 1,
                            mark.map(Mark::getColumn).orElse(0) + 1,
                            "",
                            "is not valid YAML: " + e.getProblem()));
        } catch (YamlEngineException e) {
            problems.add(new YamlProblem(file, 1, 1, "", "is not valid YAML: " + e.getMessage()));
        }
        return problems.isEmpty()
                ? new BindingResult.Value<>(type.cast(value))
                : new BindingResult.Problems<>(problems);
    }

    private Object record(Class<?> type, Node node, String key) {
        if (!(node instanceof MappingNode mapping)) {
            return failed(node, key, "needs keys and values, one per line");
        }
        Map<String, Node> values = entries(mapping, key);
        List<String> known = YamlKeys.all(type);
        for (NodeTuple tuple : mapping.getValue()) {
            String name = name(tuple);
            if (!known.contains(name)) {
                String hint =
                        YamlKeys.closest(name, known)
                                .map(k -> "did you mean '%s'?".formatted(k))
                                .orElse("known keys are " + String.join(", ", known));
                failed(tuple.getKeyNode(), join(key, name), "is not a known key; " + hint);
            }
        }
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] arguments = new Object[components.length];
        int before = problems.size();
        for (int i = 0; i < components.length; i++) {
            arguments[i] = component(components[i], values, mapping, key);
        }
        return problems.size() > before || Arrays.asList(arguments).contains(FAILED)
                ? FAILED
                : construct(type, components, arguments, mapping, key);
    }

    private @Nullable Object component(
            RecordComponent component, Map<String, Node> values, Node mapping, String key) {
        String name = YamlKeys.of(component);
        Node node = values.get(name);
        if (node != null && !node.getTag().equals(Tag.NULL)) {
            return value(component.getGenericType(), node, join(key, name));
        }
        DefaultsTo standard = component.getAnnotation(DefaultsTo.class);
        if (standard != null) {
            return YamlScalars.read(component.getType(), standard.value());
        }
        if (component.getType() == List.class) {
            return List.of();
        }
        if (component.getType() == Map.class) {
            return Map.of();
        }
        return YamlKeys.mayBeMissing(component)
                ? null
                : failed(node == null ? mapping : node, join(key, name), "is missing; add it");
    }

    private Object value(Type type, Node node, String key) {
        return switch (type) {
            case ParameterizedType list when list.getRawType() == List.class ->
                    list(list.getActualTypeArguments()[0], node, key);
            case ParameterizedType map when map.getRawType() == Map.class ->
                    map(map.getActualTypeArguments()[1], node, key);
            case Class<?> single when YamlScalars.isScalar(single) -> scalar(single, node, key);
            case Class<?> nested when nested.isRecord() -> record(nested, node, key);
            default -> throw new IllegalStateException("no YAML form for " + type);
        };
    }

    private Object scalar(Class<?> type, Node node, String key) {
        if (!(node instanceof ScalarNode scalar)) {
            return failed(node, key, "needs a single value");
        }
        try {
            return YamlScalars.read(type, scalar.getValue());
        } catch (IllegalArgumentException e) {
            return failed(node, key, String.valueOf(e.getMessage()));
        }
    }

    private Object list(Type element, Node node, String key) {
        if (!(node instanceof SequenceNode sequence)) {
            return failed(node, key, "needs a list, each entry on a line that starts with '- '");
        }
        List<Object> values = new ArrayList<>();
        for (Node each : sequence.getValue()) {
            values.add(value(element, each, key + "[" + values.size() + "]"));
        }
        return values.contains(FAILED) ? FAILED : List.copyOf(values);
    }

    private Object map(Type element, Node node, String key) {
        if (!(node instanceof MappingNode mapping)) {
            return failed(node, key, "needs keys and values, one per line");
        }
        Map<String, Object> values = new LinkedHashMap<>();
        entries(mapping, key)
                .forEach((name, each) -> values.put(name, value(element, each, join(key, name))));
        return values.containsValue(FAILED) ? FAILED : values;
    }

    private Map<String, Node> entries(MappingNode mapping, String key) {
        Map<String, Node> values = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (values.putIfAbsent(name(tuple), tuple.getValueNode()) != null) {
                failed(tuple.getKeyNode(), join(key, name(tuple)), "is there twice; keep one");
            }
        }
        return values;
    }

    private static String name(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
    }

    private Object construct(
            Class<?> type,
            RecordComponent[] components,
            @Nullable Object[] arguments,
            Node node,
            String key) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                return refused(refused, node, key);
            }
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A constructor may begin its message with "key: "; the problem then stands at that key. */
    private Object refused(IllegalArgumentException refused, Node node, String key) {
        String message = String.valueOf(refused.getMessage());
        int colon = message.indexOf(": ");
        Map<String, Node> values = new HashMap<>();
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(t -> values.putIfAbsent(name(t), t.getValueNode()));
        }
        Node at = colon < 0 ? null : values.get(message.substring(0, colon));
        return at == null
                ? failed(node, key, message)
                : failed(at, join(key, message.substring(0, colon)), message.substring(colon + 2));
    }

    private Object failed(Node node, String key, String message) {
        Optional<Mark> mark = node.getStartMark();
        problems.add(
                new YamlProblem(
                        file,
                        mark.map(Mark::getLine).orElse(0) + 1,
                        mark.map(Mark::getColumn).orElse(0) + 1,
                        key,
                        message));
        return FAILED;
    }

    private static String join(String key, String name) {
        return key.isEmpty() ? name : key + "." + name;
    }
}
