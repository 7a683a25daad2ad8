package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.directory.host.LocalHost;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.Substitution;
import dev.skep.runner.redact.Redactor;
import dev.skep.runner.shell.ShellSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What an agent's file means on this host. */
final class FileMeaning {
    private final RunnerConfig config;
    private final LocalHost host;
    private final Redactor redactor;

    FileMeaning(RunnerConfig config, LocalHost host, Redactor redactor) {
        this.config = config;
        this.host = host;
        this.redactor = redactor;
    }

    /** What a file takes from the environment is nobody else's to read. */
    void learnSecrets(AgentSource source) {
        Substitution substitution = new Substitution(Map.of(), config.environment()::get);
        List<String> texts = new ArrayList<>(source.content().startCommands());
        texts.add(source.content().prompt());
        texts.addAll(source.content().env().values());
        texts.forEach(text -> redactor.learn(substitution.secretsIn(text)));
    }

    Substitution substitution(AgentRegistrar.Registered found) {
        Agent agent = found.agent();
        Map<String, String> values = new HashMap<>();
        values.put("username", agent.username());
        values.put("title", agent.title() == null ? "" : agent.title());
        values.put("host", host.name());
        values.put("model", found.source().content().model());
        values.put("lead", found.source().lead() == null ? "" : found.source().lead());
        return new Substitution(values, config.environment()::get);
    }

    ShellSettings shell(AgentRegistrar.Registered found, Substitution substitution) {
        AgentFile file = found.source().content();
        Map<String, String> environment = new HashMap<>();
        file.env().forEach((name, value) -> environment.put(name, substitution.in(value)));
        Path own = config.workFolder(found.agent().username());
        return new ShellSettings(
                found.agent().username(),
                own,
                file.folder() == null
                        ? own
                        : config.dataDir().resolve(substitution.in(file.folder())),
                environment,
                List.of(config.dataDir()),
                file.outputLimit());
    }
}
