package dev.skep.runner;

import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentFolder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agents of this host as their files were last read. Many may ask; one at a time reads. */
final class KnownAgents {
    private static final Logger LOG = LoggerFactory.getLogger(KnownAgents.class);

    private final AgentFolder folder;
    private final AgentRegistrar registrar;
    private final AgentFileInterpreter agentFileInterpreter;
    private final Map<String, AgentRegistrar.Registered> known = new ConcurrentHashMap<>();
    private volatile List<YamlProblem> problems = List.of();

    KnownAgents(
            AgentFolder folder,
            AgentRegistrar registrar,
            AgentFileInterpreter agentFileInterpreter) {
        this.folder = folder;
        this.registrar = registrar;
        this.agentFileInterpreter = agentFileInterpreter;
    }

    void read() {
        AgentFolder.Found found = folder.read();
        found.agents().forEach(agentFileInterpreter::learnSecrets);
        Map<String, AgentRegistrar.Registered> now = new LinkedHashMap<>();
        AgentRegistrar.Registration registration = registrar.register(found.agents());
        registration.agents().forEach(r -> now.put(r.agent().username(), r));
        known.keySet().retainAll(now.keySet());
        known.putAll(now);
        List<YamlProblem> before = problems;
        problems =
                Stream.of(
                                found.problems().stream(),
                                registration.problems().stream(),
                                now.values().stream().flatMap(this::keptFromStarting))
                        .flatMap(each -> each)
                        .toList();
        problems.stream()
                .filter(problem -> !before.contains(problem))
                .forEach(problem -> LOG.warn("agent file: {}", problem));
    }

    /** Such an agent stays known; it does not start. */
    private Stream<YamlProblem> keptFromStarting(AgentRegistrar.Registered each) {
        return agentFileInterpreter.problem(each, names()).stream();
    }

    List<String> names() {
        return List.copyOf(known.keySet());
    }

    /** What is wrong with the files. */
    List<YamlProblem> problems() {
        return problems;
    }

    Optional<AgentRegistrar.Registered> named(String username) {
        return Optional.ofNullable(known.get(username));
    }

    Collection<AgentRegistrar.Registered> all() {
        return known.values();
    }
}
