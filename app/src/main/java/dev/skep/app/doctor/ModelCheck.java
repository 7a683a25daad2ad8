package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import dev.skep.models.table.ModelTable;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The agents' files, the models they name, and whether each model's key is there. */
final class ModelCheck implements Check {
    private static final String AGENTS = "agents";
    private static final String MODEL = "model";

    private final Configuration configuration;

    ModelCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        List<Finding> found = new ArrayList<>();
        AgentFolder.Found read = new AgentFolder(configuration.dataDir().resolve("agents")).read();
        int count = read.agents().size();
        found.add(Finding.ok(AGENTS, count == 1 ? "1 agent" : count + " agents"));
        read.problems()
                .forEach(p -> found.add(Finding.problem(AGENTS, "agents/" + p, "fix the file")));
        ModelTable table = ModelTable.read(configuration.dataDir().resolve("models.yaml"));
        table.problems().forEach(p -> found.add(Finding.problem(MODEL, p.toString(), "fix it")));
        Map<String, List<AgentSource>> byModel =
                read.agents().stream()
                        // The runtime chooses its own, or has a sign-in of its own.
                        .filter(
                                agent ->
                                        agent.content().model() != null
                                                && agent.content().auth() == AgentFile.Auth.GATEWAY)
                        .collect(
                                Collectors.groupingBy(
                                        agent -> agent.content().modelName(),
                                        TreeMap::new,
                                        Collectors.toList()));
        byModel.forEach((model, agents) -> found.add(look(table, model, agents)));
        return found;
    }

    private Finding look(ModelTable table, String model, List<AgentSource> agents) {
        String whose =
                agents.stream()
                        .map(AgentSource::username)
                        .limit(5)
                        .collect(Collectors.joining(", "));
        return switch (table.need(model)) {
            case ModelTable.Need.Nothing() ->
                    Finding.ok(MODEL, "%s needs no key (%s)".formatted(model, whose));
            case ModelTable.Need.Unknown() ->
                    Finding.problem(
                            MODEL,
                            "%s, the model of %s, is not known".formatted(model, whose),
                            "add it to models.yaml or choose another");
            case ModelTable.Need.Key(String name) -> key(model, name, whose);
        };
    }

    /** Presence only: whether a key is valid only its provider knows, and may charge for. */
    private Finding key(String model, String name, String whose) {
        String value = configuration.agents().environment().getOrDefault(name, "");
        return value.isBlank()
                ? Finding.problem(
                        MODEL,
                        "%s, the model of %s, has no key".formatted(model, whose),
                        "put %s=… into .env in the data dir".formatted(name))
                : Finding.ok(MODEL, "%s has a key in %s (%s)".formatted(model, name, whose));
    }
}
