package dev.skep.models.yaml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A list in a YAML mapping as text: an entry is added, every other byte stays as it is. Each place
 * that would do is tried, and the result read again, until one has the entry and nothing else that
 * is new.
 */
public final class YamlListText {
    private final String text;
    private final String key;
    private final String newLine;

    /** Takes a text that was read before. */
    public YamlListText(String text, String key) {
        this.text = text;
        this.key = key;
        this.newLine = text.contains("\r\n") ? "\r\n" : "\n";
    }

    /** The text with the entry added; empty if there is no place for it. */
    public Optional<String> with(String entry) {
        Optional<MappingNode> before = mapping(text);
        return before.flatMap(
                mapping ->
                        places(mapping, quoted(entry)).stream()
                                .filter(
                                        changed ->
                                                mapping(changed)
                                                        .filter(m -> isOneMore(mapping, m, entry))
                                                        .isPresent())
                                .findFirst());
    }

    private static Optional<MappingNode> mapping(String text) {
        try {
            return YamlNodes.compose(LoadSettings.builder().build(), text)
                    .filter(MappingNode.class::isInstance)
                    .map(MappingNode.class::cast);
        } catch (YamlEngineException notYaml) {
            return Optional.empty();
        }
    }

    /** The texts to try, the nicest first. */
    private List<String> places(MappingNode mapping, String quoted) {
        Optional<NodeTuple> found = mapping.getValue().stream().filter(this::isKey).findFirst();
        if (found.isEmpty()) {
            return withKey(mapping, quoted);
        }
        return switch (found.get().getValueNode()) {
            case SequenceNode flow when flow.getFlowStyle() == FlowStyle.FLOW ->
                    List.of(inFlow(flow, quoted));
            case SequenceNode block -> inBlock(block, quoted);
            case ScalarNode empty when empty.getTag().equals(Tag.NULL) ->
                    List.of(inPlaceOf(found.get().getKeyNode(), empty, quoted));
            default -> List.of();
        };
    }

    private boolean isOneMore(MappingNode before, MappingNode after, String entry) {
        List<String> wanted = new ArrayList<>(entries(before));
        wanted.add(entry);
        // In any order: the new one may stand before the last.
        return sorted(wanted).equals(sorted(entries(after)))
                && YamlNodes.same(others(before), others(after));
    }

    private List<String> entries(MappingNode mapping) {
        return mapping.getValue().stream()
                .filter(this::isKey)
                .map(NodeTuple::getValueNode)
                .filter(SequenceNode.class::isInstance)
                .flatMap(list -> ((SequenceNode) list).getValue().stream())
                .map(each -> each instanceof ScalarNode scalar ? scalar.getValue() : "")
                .toList();
    }

    private static List<String> sorted(List<String> texts) {
        return texts.stream().sorted().toList();
    }

    private List<Node> others(MappingNode mapping) {
        return mapping.getValue().stream()
                .filter(tuple -> !isKey(tuple))
                .flatMap(tuple -> Stream.of(tuple.getKeyNode(), tuple.getValueNode()))
                .toList();
    }

    private boolean isKey(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key);
    }

    /** At the end, where people look for it; before the first key if the end is not free. */
    private List<String> withKey(MappingNode mapping, String quoted) {
        String lines = key + ":" + newLine + "  - " + quoted + newLine;
        List<String> places = new ArrayList<>();
        places.add(text + (text.endsWith("\n") ? "" : newLine) + lines);
        if (mapping.getFlowStyle() == FlowStyle.BLOCK && !mapping.getValue().isEmpty()) {
            places.add(inserted(start(mapping.getValue().getFirst().getKeyNode()), lines));
        }
        return places;
    }

    private String inFlow(SequenceNode list, String quoted) {
        return list.getValue().isEmpty()
                ? inserted(end(list) - 1, quoted)
                : inserted(end(list.getValue().getLast()), ", " + quoted);
    }

    /** After the last line of the last entry, or before that entry if its end is not plain. */
    private List<String> inBlock(SequenceNode list, String quoted) {
        if (list.getValue().isEmpty()) {
            return List.of();
        }
        Node last = list.getValue().getLast();
        int dash = start(list);
        String line = text.substring(lineStart(dash), dash) + "- " + quoted;
        int lineEnd = text.indexOf('\n', end(last));
        return List.of(
                lineEnd < 0 ? text + newLine + line : inserted(lineEnd + 1, line + newLine),
                inserted(lineStart(start(last)), line + newLine));
    }

    private String inPlaceOf(Node name, ScalarNode empty, String quoted) {
        String list = "[" + quoted + "]";
        if (!empty.getValue().isEmpty()) {
            return text.substring(0, start(empty)) + list + text.substring(end(empty));
        }
        return inserted(text.indexOf(':', end(name)) + 1, " " + list);
    }

    private String inserted(int at, String more) {
        return text.substring(0, at) + more + text.substring(at);
    }

    private int lineStart(int at) {
        return text.lastIndexOf('\n', at - 1) + 1;
    }

    private int start(Node node) {
        return index(node.getStartMark());
    }

    private int end(Node node) {
        return index(node.getEndMark());
    }

    private int index(Optional<Mark> mark) {
        return text.offsetByCodePoints(0, mark.orElseThrow().getIndex());
    }

    /** In double quotes, on one line, whatever is in it. */
    private static String quoted(String entry) {
        StringBuilder quoted = new StringBuilder("\"");
        entry.codePoints()
                .forEach(
                        each -> {
                            switch (each) {
                                case '"' -> quoted.append("\\\"");
                                case '\\' -> quoted.append("\\\\");
                                case '\n' -> quoted.append("\\n");
                                case '\t' -> quoted.append("\\t");
                                default -> {
                                    if (isPlain(each)) {
                                        quoted.appendCodePoint(each);
                                    } else {
                                        quoted.append(String.format(Locale.ROOT, "\\U%08x", each));
                                    }
                                }
                            }
                        });
        return quoted.append('"').toString();
    }

    private static boolean isPlain(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }
}
