package dev.skep.runner.agent;

import dev.skep.models.yaml.YamlProblem;
import dev.skep.models.yaml.YamlText;
import dev.skep.shell.redact.SecretNames;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Secrets that stand in an agent's file themselves, under names of {@code env} that mean one. A
 * file is stored, synced and shown; a secret belongs into {@code .env}.
 */
public record LiteralSecrets(AgentSource source, Map<String, String> values) {
    private static final int SHORTEST = 6;

    public LiteralSecrets {
        values = Map.copyOf(values);
    }

    public static LiteralSecrets of(AgentSource source) {
        Map<String, String> found = new LinkedHashMap<>();
        source.content()
                .env()
                .forEach(
                        (name, value) -> {
                            if (SecretNames.mean(name) && isLiteral(value)) {
                                found.put(name, value);
                            }
                        });
        return new LiteralSecrets(source, found);
    }

    /** Headers that hold a secret whatever the words of their names are. */
    private static final Set<String> SECRET_HEADERS =
            Set.of("authorization", "proxy-authorization", "cookie");

    /** Refuses variables or headers of a tool's server that hold a secret themselves. */
    static void refuse(String key, Map<String, String> values) {
        values.forEach(
                (name, value) -> {
                    boolean secret =
                            SecretNames.mean(name)
                                    || SECRET_HEADERS.contains(name.toLowerCase(Locale.ROOT));
                    if (secret && isLiteral(value)) {
                        throw new IllegalArgumentException(
                                "%s: %s holds a secret; put it into .env in the data folder and write ${env.NAME} here"
                                        .formatted(key, name));
                    }
                });
    }

    private static boolean isLiteral(String value) {
        boolean path = value.startsWith("/") || value.startsWith("./") || value.startsWith("~/");
        return value.length() >= SHORTEST
                && !value.contains("${")
                && !path
                && !SecretNames.ordinary(value);
    }

    /** Not to be stored or shown. */
    public Collection<String> secrets() {
        return values.values();
    }

    /** What is wrong, each with the fix; empty for a file without such values. */
    public List<YamlProblem> problems() {
        if (values.isEmpty()) {
            return List.of();
        }
        YamlText text = new YamlText(source.text());
        return values.keySet().stream().sorted().map(name -> problem(text, name)).toList();
    }

    private YamlProblem problem(YamlText text, String name) {
        YamlText.Place place = text.place("env", name);
        return new YamlProblem(
                source.path(),
                place.line(),
                place.column(),
                "env." + name,
                "holds a secret; put %1$s=… into .env in the data folder and write ${env.%1$s} here"
                        .formatted(name));
    }

    /** The file as it would be with the secrets in {@code .env}: what is stored and synced. */
    public AgentSource cleaned() {
        if (values.isEmpty()) {
            return source;
        }
        Map<String, String> references = new LinkedHashMap<>();
        values.keySet().forEach(name -> references.put(name, "${env.%s}".formatted(name)));
        return new AgentSource(
                source.username(),
                source.path(),
                source.file(),
                source.lead(),
                source.content(),
                new YamlText(source.text()).with("env", references));
    }
}
