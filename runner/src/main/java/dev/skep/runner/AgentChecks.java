package dev.skep.runner;

import dev.skep.models.ModelCard;
import dev.skep.models.table.ModelTable;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.LiteralSecrets;
import dev.skep.runner.agent.StartFolder;
import dev.skep.runner.runtime.RuntimeInventory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What is wrong with agents' files on this host, as {@code skep agents check} reports it. */
final class AgentChecks {
    private final AgentFolder folder;
    private final AgentRegistrar registrar;
    private final RuntimeInventory runtimes;
    private final boolean limited;

    /**
     * Reads nothing yet.
     *
     * @param limited whether this host has a limit for all its agents together
     */
    AgentChecks(
            AgentFolder folder,
            AgentRegistrar registrar,
            RuntimeInventory runtimes,
            boolean limited) {
        this.folder = folder;
        this.registrar = registrar;
        this.runtimes = runtimes;
        this.limited = limited;
    }

    /** Of all files as they are now. */
    List<YamlProblem> all() {
        AgentFolder.Found found = folder.read();
        return Stream.of(
                        found.problems().stream(),
                        registrar.takenAway(found.agents()).stream(),
                        of(found.agents()))
                .flatMap(each -> each)
                .toList();
    }

    /** Of files that can be read. */
    Stream<YamlProblem> of(List<AgentSource> sources) {
        return Stream.of(
                        sources.stream()
                                .flatMap(source -> LiteralSecrets.of(source).problems().stream()),
                        sources.stream().flatMap(this::folderProblem),
                        sources.stream().flatMap(source -> runtimes.problems(source).stream()),
                        unpriced(sources))
                .flatMap(each -> each);
    }

    /** Agents with a spend limit whose model has no known price. */
    private Stream<YamlProblem> unpriced(List<AgentSource> agents) {
        ModelTable models = ModelTable.read(dataDir().resolve("models.yaml"));
        return agents.stream()
                .filter(source -> limited || source.content().limit() != null)
                .flatMap(
                        source ->
                                models
                                        .card(source.content().modelName())
                                        .flatMap(ModelCard::unpriced)
                                        .map(why -> source.problem("model", why))
                                        .stream());
    }

    /** The target of a folder with placeholders is known only when its agent starts. */
    private Stream<YamlProblem> folderProblem(AgentSource source) {
        String written = source.content().folder();
        return written == null || written.contains("${")
                ? Stream.empty()
                : new StartFolder(dataDir())
                        .problem(written).stream().map(why -> source.problem("folder", why));
    }

    private Path dataDir() {
        return folder.root().resolveSibling("");
    }
}
