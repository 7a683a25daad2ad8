package dev.skep.runner.runtime;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The shipped runtimes and the user's; a name in both is the user's. */
public final class RuntimeTable {
    /** The user's file in the data dir. */
    public static final String FILE = "runtimes.yaml";

    private final List<RuntimeDefinition> definitions;
    private final List<YamlProblem> problems;

    private RuntimeTable(List<RuntimeDefinition> definitions, List<YamlProblem> problems) {
        this.definitions = List.copyOf(definitions);
        this.problems = List.copyOf(problems);
    }

    /** Reads the user's file over the shipped table; one that does not exist adds nothing. */
    public static RuntimeTable read(Path dataDir) {
        List<RuntimeDefinition> shipped = shipped();
        Path file = dataDir.resolve(FILE);
        if (Files.notExists(file)) {
            return new RuntimeTable(shipped, List.of());
        }
        return switch (YamlBinder.read(file, RuntimesFile.class)) {
            case BindingResult.Problems<RuntimesFile>(List<YamlProblem> problems) ->
                    new RuntimeTable(shipped, problems);
            case BindingResult.Value<RuntimesFile>(RuntimesFile own) ->
                    new RuntimeTable(merged(own.runtimes(), shipped), List.of());
        };
    }

    /** The text of the shipped table, for people who want to copy from it. */
    public static String shippedText() {
        try (InputStream in = RuntimeTable.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new SkepException(ErrorCode.INTERNAL, FILE + " is not in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Optional<RuntimeDefinition> find(String name) {
        return definitions.stream().filter(each -> each.name().equals(name)).findFirst();
    }

    public List<RuntimeDefinition> all() {
        return definitions;
    }

    /** What is wrong with the user's file, of which then nothing is used. */
    public List<YamlProblem> problems() {
        return problems;
    }

    /** One line about a name that is not in the table. */
    public String unknown(String name) {
        return "there is no runtime '%s'; known are skep, %s, and yours go into %s"
                .formatted(
                        name,
                        String.join(
                                ", ", definitions.stream().map(RuntimeDefinition::name).toList()),
                        FILE);
    }

    private static List<RuntimeDefinition> shipped() {
        return switch (YamlBinder.parse(FILE, shippedText(), RuntimesFile.class)) {
            case BindingResult.Value<RuntimesFile>(RuntimesFile file) -> file.runtimes();
            case BindingResult.Problems<RuntimesFile>(List<YamlProblem> problems) ->
                    throw new SkepException(
                            ErrorCode.INTERNAL, "the shipped " + problems.getFirst());
        };
    }

    private static List<RuntimeDefinition> merged(
            List<RuntimeDefinition> own, List<RuntimeDefinition> shipped) {
        Map<String, RuntimeDefinition> byName = new LinkedHashMap<>();
        shipped.forEach(each -> byName.put(each.name(), each));
        own.forEach(each -> byName.put(each.name(), each));
        return List.copyOf(byName.values());
    }
}
