package dev.skep.supervisor.routes;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Bundles a module and everything it imports into one file: a browser that loads sixty small files
 * is busy with loading. Each module stays as it is written, in a function that returns its exports,
 * and is still served under its own name.
 */
final class ModuleBundler {
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import \\{([^}]+)} from '([^']+)';$");
    private static final Pattern EXPORT =
            Pattern.compile("(?m)^export ((?:async )?function|const|class) (\\w+)");

    /** Any other form would be linked wrongly without a word. */
    private static final Pattern STRANGE =
            Pattern.compile("(?m)^(?:import|export|await)\\b.*$|^(?! \\*).*\\bimport\\(.*$");

    private final Function<String, String> sources;
    private final String apart;
    private final Map<String, String> linked = new LinkedHashMap<>();
    private final Set<String> under = new LinkedHashSet<>();
    private final Set<String> namesFromApart = new LinkedHashSet<>();

    private ModuleBundler(Function<String, String> sources, String apart) {
        this.sources = sources;
        this.apart = apart;
    }

    /**
     * The module and all it needs.
     *
     * @param apart the one that stays a module of its own, which all import the same names from
     */
    static Bundle from(String main, String apart, Function<String, String> sources) {
        var linking = new ModuleBundler(sources, apart);
        linking.add(main);
        return new Bundle(
                "import {%s} from './%s';\n"
                                .formatted(String.join(", ", linking.namesFromApart), apart)
                        + String.join("", linking.linked.values()),
                linking.linked.keySet());
    }

    /** The modules as one, and their names. */
    record Bundle(String text, Set<String> modules) {}

    /** After those it imports, so that they are there. */
    private void add(String name) {
        if (linked.containsKey(name)) {
            return;
        }
        if (!under.add(name)) {
            throw new IllegalStateException("modules import each other: " + under);
        }
        String source = sources.apply(name);
        List<String> exports =
                EXPORT.matcher(source).results().map(match -> match.group(2)).toList();
        String body =
                EXPORT.matcher(IMPORT.matcher(source).replaceAll(match -> imported(name, match)))
                        .replaceAll("$1 $2");
        Optional<String> strange =
                STRANGE.matcher(body).results().map(match -> match.group()).findFirst();
        if (strange.isPresent()) {
            throw new IllegalStateException(
                    "%s cannot be linked: %s".formatted(name, strange.get()));
        }
        linked.put(
                name,
                "\n// %s\nconst %s = (() => {\n%s\nreturn {%s};\n})();\n"
                        .formatted(name, variable(name), body, String.join(", ", exports)));
    }

    private String imported(String from, MatchResult match) {
        String target = resolved(from, match.group(2));
        List<String> names = Stream.of(match.group(1).split(",", -1)).map(String::strip).toList();
        if (target.equals(apart)) {
            namesFromApart.addAll(names);
            return "";
        }
        add(target);
        String taken =
                names.stream()
                        .map(name -> name.replace(" as ", ": "))
                        .collect(Collectors.joining(", "));
        return Matcher.quoteReplacement("const {%s} = %s;".formatted(taken, variable(target)));
    }

    private static String resolved(String from, String imported) {
        return URI.create("/" + from).resolve(imported).getPath().substring(1);
    }

    private static String variable(String name) {
        return name.replaceFirst("\\.js$", "").replaceAll("\\W", "_") + "_";
    }
}
