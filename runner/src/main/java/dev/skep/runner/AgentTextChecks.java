package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentFileCheck;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import dev.skep.shell.redact.Redactor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What keeps a text from being the file of one of this host's agents. */
final class AgentTextChecks {
    private final AgentFolder folder;
    private final AgentChecks checks;
    private final AgentFileInterpreter interpreter;
    private final Redactor redactor;
    private final RunnerStores stores;

    AgentTextChecks(
            AgentFolder folder,
            AgentChecks checks,
            AgentFileInterpreter interpreter,
            Redactor redactor,
            RunnerStores stores) {
        this.folder = folder;
        this.checks = checks;
        this.interpreter = interpreter;
        this.redactor = redactor;
        this.stores = stores;
    }

    /**
     * What is wrong with the text and was not wrong before.
     *
     * @param before the file as it is, if there is one
     * @param origin what a hub brings has to hold to more
     */
    List<YamlProblem> problems(
            Agent agent, String text, Optional<AgentSource> before, ChangeOrigin origin) {
        String username = agent.username();
        List<YamlProblem> unusable = new AgentFileCheck(username, text).problems(redactor);
        if (!unusable.isEmpty()) {
            return unusable;
        }
        Set<String> known = new HashSet<>();
        before.ifPresent(
                source ->
                        checks.of(List.of(source))
                                .map(each -> each.key() + each.message())
                                .forEach(known::add));
        AgentSource after = after(username, text, before);
        List<YamlProblem> problems = new ArrayList<>();
        checks.of(List.of(after))
                .filter(each -> !known.contains(each.key() + each.message()))
                .forEach(problems::add);
        if (origin.hub() != null) {
            problems.addAll(
                    interpreter.problemsFromElsewhere(
                            new AgentRegistrar.Registered(agent, after), names()));
        }
        return problems.stream().distinct().toList();
    }

    private AgentSource after(String username, String text, Optional<AgentSource> before) {
        Path file =
                before.map(AgentSource::file)
                        .orElseGet(() -> folder.root().resolve(username + ".yaml"));
        return new AgentSource(
                username,
                before.map(AgentSource::path).orElse(username + ".yaml"),
                file,
                before.map(AgentSource::lead).orElse(null),
                content(text),
                text);
    }

    private static AgentFile content(String text) {
        return switch (YamlBinder.parse("agent.yaml", text, AgentFile.class)) {
            case BindingResult.Value<AgentFile>(var content) -> content;
            case BindingResult.Problems<AgentFile>(var problems) ->
                    throw new IllegalStateException("checked before: " + problems.getFirst());
        };
    }

    private List<String> names() {
        return stores.agents().onThisHost().stream().map(Agent::username).toList();
    }
}
