package dev.skep.models.table;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.models.ModelCard;
import dev.skep.models.provider.ProviderProtocol;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The shipped models and the user's; a name in both is the user's.
 *
 * @param problems what is wrong with the user's file, of which then nothing is used
 */
public record ModelTable(List<ModelEntry> entries, List<YamlProblem> problems) {
    public ModelTable {
        entries = List.copyOf(entries);
        problems = List.copyOf(problems);
    }

    /** Reads the user's file over the shipped table; one that does not exist adds nothing. */
    public static ModelTable read(Path file) {
        List<ModelEntry> shipped = shipped();
        if (Files.notExists(file)) {
            return new ModelTable(shipped, List.of());
        }
        return switch (YamlBinder.read(file, ModelsFile.class)) {
            case BindingResult.Problems<ModelsFile>(List<YamlProblem> problems) ->
                    new ModelTable(shipped, problems);
            case BindingResult.Value<ModelsFile>(ModelsFile own) ->
                    new ModelTable(merged(own.models(), shipped), List.of());
        };
    }

    /** The text of the shipped table, for people who want to copy from it. */
    public static String shippedText() {
        try (InputStream in = ModelTable.class.getResourceAsStream("models.yaml")) {
            if (in == null) {
                throw new SkepException(ErrorCode.INTERNAL, "models.yaml is not in the program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Optional<ModelEntry> find(String name) {
        return entries.stream()
                .filter(entry -> entry.name().equals(name))
                .findFirst()
                .or(() -> entries.stream().filter(entry -> entry.names(name)).findFirst());
    }

    /** An entry, and what an agent's file would call the model of it that was asked for. */
    record Named(String name, ModelEntry entry) {}

    /** By our name or else by the provider's, among those that speak one of these protocols. */
    Optional<Named> find(String wanted, Set<ProviderProtocol> spoken) {
        List<ModelEntry> speaking =
                entries.stream().filter(entry -> spoken.contains(entry.provider())).toList();
        return new ModelTable(speaking, problems)
                .find(wanted)
                .map(entry -> new Named(wanted, entry))
                .or(
                        () ->
                                speaking.stream()
                                        .filter(entry -> wanted.equals(entry.model()))
                                        .findFirst()
                                        .map(entry -> new Named(entry.name(), entry)));
    }

    /** What is known of a model by its name; empty if it is not in the table. */
    public Optional<ModelCard> card(String name) {
        return find(name).map(entry -> entry.card(name));
    }

    /** What a model wants before it can be asked. */
    public sealed interface Need {
        record Nothing() implements Need {}

        /** A key in this variable. */
        record Key(String variable) implements Need {}

        record Unknown() implements Need {}
    }

    /** Looked up by name, without opening anything. */
    public Need need(String model) {
        if (model.startsWith(ConfiguredModels.SCRIPTED)) {
            return new Need.Nothing();
        }
        return find(model).map(ModelTable::need).orElseGet(Need.Unknown::new);
    }

    private static Need need(ModelEntry entry) {
        String variable = entry.keyVariable();
        return variable == null ? new Need.Nothing() : new Need.Key(variable);
    }

    private static List<ModelEntry> shipped() {
        return switch (YamlBinder.parse("models.yaml", shippedText(), ModelsFile.class)) {
            case BindingResult.Value<ModelsFile>(ModelsFile file) -> file.models();
            case BindingResult.Problems<ModelsFile>(List<YamlProblem> problems) ->
                    throw new SkepException(
                            ErrorCode.INTERNAL, "the shipped " + problems.getFirst());
        };
    }

    private static List<ModelEntry> merged(List<ModelEntry> own, List<ModelEntry> shipped) {
        Map<String, ModelEntry> byName = new LinkedHashMap<>();
        own.forEach(entry -> byName.put(entry.name(), entry));
        shipped.forEach(entry -> byName.putIfAbsent(entry.name(), entry));
        return new ArrayList<>(byName.values());
    }
}
