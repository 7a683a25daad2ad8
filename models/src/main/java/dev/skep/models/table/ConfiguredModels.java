package dev.skep.models.table;

import dev.skep.models.ModelCard;
import dev.skep.models.Models;
import dev.skep.models.provider.ModelRoutes;
import dev.skep.models.provider.ProviderProtocol;
import dev.skep.models.provider.RemoteModels;
import dev.skep.models.scripted.ScriptedModel;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlProblem;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The models of a {@link ModelTable}, and {@code scripted:FILE}. Nothing of a provider's libraries
 * is loaded before the first real model is opened. Thread-safe.
 */
public final class ConfiguredModels implements Models, ModelRoutes {
    static final String SCRIPTED = "scripted:";

    private final Supplier<ModelTable> file;
    private final Function<String, Optional<String>> keys;
    private final InstantSource clock;
    private volatile ModelTable table;
    private @Nullable RemoteModels remote;

    /**
     * Opens nothing yet.
     *
     * @param file reads the table, now and when it may have changed
     * @param keys finds a key by the name of its variable
     */
    public ConfiguredModels(
            Supplier<ModelTable> file,
            Function<String, Optional<String>> keys,
            InstantSource clock) {
        this.file = file;
        this.table = file.get();
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public List<ModelCard> cards() {
        return table.entries().stream().map(entry -> entry.card(entry.name())).toList();
    }

    @Override
    public List<YamlProblem> reread() {
        ModelTable read = file.get();
        table = read.problems().isEmpty() ? read : new ModelTable(table.entries(), read.problems());
        return read.problems();
    }

    @Override
    public Opening open(String name, Path folder) {
        if (name.startsWith(SCRIPTED)) {
            return scripted(name, folder.resolve(name.substring(SCRIPTED.length())));
        }
        return table.find(name)
                .map(entry -> open(name, entry))
                .orElseGet(() -> new Opening.Refused(unknown(name)));
    }

    private Opening open(String name, ModelEntry entry) {
        return switch (route(name, entry)) {
            case Route.Found(var card, var endpoint) ->
                    new Opening.Ready(remote().open(card, endpoint));
            case Route.Closed(var why) -> new Opening.Refused(why);
            case Route.Unknown() -> new Opening.Refused(unknown(name));
        };
    }

    @Override
    public Route route(String name, Set<ProviderProtocol> spoken) {
        return table.find(name, spoken)
                .map(named -> route(named.name(), named.entry()))
                .orElseGet(Route.Unknown::new);
    }

    private Route route(String name, ModelEntry entry) {
        String variable = entry.keyVariable();
        Optional<String> key =
                variable == null
                        ? Optional.empty()
                        : keys.apply(variable).filter(k -> !k.isBlank());
        if (variable != null && key.isEmpty()) {
            return new Route.Closed(
                    "model %s needs a key: put %s=… into .env in the data folder"
                            .formatted(name, variable));
        }
        return new Route.Found(entry.card(name), entry.endpoint(name, key.orElse(null)));
    }

    private static Opening scripted(String name, Path file) {
        return switch (ScriptedModel.read(name, file)) {
            case BindingResult.Value<ScriptedModel>(ScriptedModel model) ->
                    new Opening.Ready(model);
            case BindingResult.Problems<ScriptedModel> wrong ->
                    new Opening.Refused(wrong.problems().getFirst().toString());
        };
    }

    private String unknown(String name) {
        if (!table.problems().isEmpty()) {
            return "model %s is not known, and %s".formatted(name, table.problems().getFirst());
        }
        return "model %s is not known; add it to models.yaml or use one of %s"
                .formatted(
                        name,
                        table.entries().stream()
                                .map(ModelEntry::name)
                                .collect(Collectors.joining(", ")));
    }

    private synchronized RemoteModels remote() {
        if (remote == null) {
            remote = new RemoteModels(clock);
        }
        return remote;
    }

    @Override
    public synchronized void close() {
        if (remote != null) {
            remote.close();
        }
    }
}
