package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.directory.host.LocalHost;
import dev.skep.models.yaml.YamlProblem;
import dev.skep.runner.agent.AgentBundle;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentPlaceholders;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.agent.LiteralSecrets;
import dev.skep.runner.agent.StartFolder;
import dev.skep.runner.files.AgentFiles;
import dev.skep.runner.mcp.SandboxedServerPrograms;
import dev.skep.runner.mcp.ServerPrograms;
import dev.skep.runner.workspace.WorkspacePlace;
import dev.skep.shell.HostList;
import dev.skep.shell.Programs;
import dev.skep.shell.ShellSettings;
import dev.skep.shell.redact.Redactor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an agent's file means on this host. */
final class AgentFileInterpreter {
    private final RunnerConfig config;
    private final LocalHost host;
    private final ForeignAgents foreign;
    private final HostList remoteEnv;
    private final StartFolder folders;
    private final Redactor redactor;

    AgentFileInterpreter(
            RunnerConfig config, LocalHost host, ForeignAgents foreign, Redactor redactor) {
        this.config = config;
        this.host = host;
        this.foreign = foreign;
        this.remoteEnv = HostList.remoteEnv(config.dataDir());
        this.folders = new StartFolder(config.dataDir());
        this.redactor = redactor;
    }

    /** Hides what a file takes from the environment. */
    void learnSecrets(AgentSource source) {
        AgentPlaceholders substitution = new AgentPlaceholders(Map.of(), config.environment()::get);
        texts(source.content())
                .values()
                .forEach(
                        texts ->
                                texts.forEach(
                                        text -> redactor.learn(substitution.secretsIn(text))));
        redactor.learn(LiteralSecrets.of(source).secrets());
    }

    /** The texts of a file in which {@code ${env.NAME}} is filled in, by their keys. */
    private static Map<String, List<String>> texts(AgentFile file) {
        List<String> servers = new ArrayList<>();
        for (AgentFile.ToolServer server : file.tools()) {
            servers.addAll(server.env().values());
            servers.addAll(server.headers().values());
        }
        Map<String, List<String>> texts = new LinkedHashMap<>();
        texts.put("prompt", List.of(file.prompt()));
        texts.put("start_commands", file.startCommands());
        texts.put("env", List.copyOf(file.env().values()));
        texts.put("tools", servers);
        return texts;
    }

    /**
     * What keeps a file that comes from elsewhere from doing what it says on this host: variables
     * that are not listed for such files, a folder that is not, a script.
     */
    List<YamlProblem> problemsFromElsewhere(AgentRegistrar.Registered found, List<String> others) {
        List<String> listed = remoteEnv.entries();
        AgentPlaceholders allOfThem =
                AgentPlaceholders.ofRemoteFile(Map.of(), _ -> "is set", listed);
        List<YamlProblem> problems = new ArrayList<>();
        texts(found.source().content())
                .forEach(
                        (key, texts) ->
                                texts.stream()
                                        .flatMap(text -> allOfThem.problems(text).stream())
                                        .filter(problem -> problem.startsWith("${env."))
                                        .distinct()
                                        .map(problem -> found.source().problem(key, problem))
                                        .forEach(problems::add));
        problem(found, others, true).ifPresent(problems::add);
        return problems;
    }

    AgentPlaceholders substitution(AgentRegistrar.Registered found) {
        Agent agent = found.agent();
        Map<String, String> values = new HashMap<>();
        values.put("username", agent.username());
        values.put("title", agent.title() == null ? "" : agent.title());
        values.put("host", host.name());
        values.put("model", found.source().content().modelName());
        values.put("lead", found.source().lead() == null ? "" : found.source().lead());
        return foreign.hubOf(agent).isPresent()
                ? AgentPlaceholders.ofRemoteFile(
                        values, config.environment()::get, remoteEnv.entries())
                : new AgentPlaceholders(values, config.environment()::get);
    }

    /**
     * Why a file's agent may not start as configured; empty if it may.
     *
     * @param others the agents of this host
     */
    Optional<YamlProblem> problem(AgentRegistrar.Registered found, List<String> others) {
        return problem(found, others, isRemote(found));
    }

    private boolean isRemote(AgentRegistrar.Registered found) {
        return foreign.hubOf(found.agent()).isPresent();
    }

    private Optional<YamlProblem> problem(
            AgentRegistrar.Registered found, List<String> others, boolean remote) {
        AgentSource source = found.source();
        if (remote && AgentBundle.usesScriptOutsideFolder(source.content().modelName())) {
            return Optional.of(
                    source.problem(
                            "model",
                            "a file that came from elsewhere plays no script but its own"));
        }
        if (source.content().workspace() != null && source.content().folder() != null) {
            return Optional.of(source.problem("workspace", "there is a folder too; keep one"));
        }
        WorkspacePlace.WantedClone wanted = place(found, others, remote).wanted();
        if (wanted != null && wanted.problem() != null) {
            return Optional.of(source.problem("workspace", wanted.problem()));
        }
        String written = source.content().folder();
        if (written == null) {
            return Optional.empty();
        }
        String folder = substitution(found).in(written);
        Optional<String> problem =
                remote
                        ? folders.problemFromElsewhere(
                                folder, othersThan(found.agent().username(), others))
                        : folders.problem(folder);
        return problem.map(why -> source.problem("folder", why));
    }

    private static List<String> othersThan(String username, List<String> all) {
        List<String> others = new ArrayList<>(all);
        others.remove(username);
        return others;
    }

    /**
     * Where an agent works, and the repository that it is to have a clone of.
     *
     * @param others the agents of this host
     */
    WorkspacePlace place(AgentRegistrar.Registered found, List<String> others) {
        return place(found, others, isRemote(found));
    }

    private WorkspacePlace place(
            AgentRegistrar.Registered found, List<String> others, boolean remote) {
        AgentPlaceholders substitution = substitution(found);
        AgentFile file = found.source().content();
        AgentFile.Workspace workspace = file.workspace();
        Path own = config.workFolder(found.agent().username());
        return new WorkspacePlace(
                found.agent(),
                own,
                file.folder() == null ? own : folders.of(substitution.in(file.folder())),
                workspace == null ? null : wanted(found, workspace, substitution, others, remote));
    }

    private WorkspacePlace.WantedClone wanted(
            AgentRegistrar.Registered found,
            AgentFile.Workspace workspace,
            AgentPlaceholders substitution,
            List<String> others,
            boolean remote) {
        Path repo = folders.of(substitution.in(workspace.repo()));
        Optional<String> problem =
                remote
                        ? folders.problemFromElsewhere(
                                repo.toString(), othersThan(found.agent().username(), others))
                        : folders.problem(repo.toString());
        String branch =
                substitution.in(workspace.branch()).replace("{agent}", found.agent().username());
        return new WorkspacePlace.WantedClone(repo, branch, problem.orElse(null));
    }

    ShellSettings shell(AgentRegistrar.Registered found, AgentPlaceholders substitution) {
        return shell(found, substitution, found.source().content().outputLimit());
    }

    /** For the shell through which its files are read and changed for it. */
    ShellSettings fileShell(AgentRegistrar.Registered found, AgentPlaceholders substitution) {
        return shell(found, substitution, AgentFiles.OUTPUT_CHARS);
    }

    private ShellSettings shell(
            AgentRegistrar.Registered found, AgentPlaceholders substitution, int outputChars) {
        AgentFile file = found.source().content();
        Map<String, String> environment = new HashMap<>();
        file.env().forEach((name, value) -> environment.put(name, substitution.in(value)));
        WorkspacePlace place = place(found, List.of());
        if (place.wanted() != null && !file.isManaged()) {
            environment.putIfAbsent("HOME", place.homeInClone().toString());
        }
        return new ShellSettings(
                found.agent().username(),
                place.own(),
                place.wanted() == null ? place.folder() : place.repository(),
                environment,
                List.of(config.dataDir()),
                outputChars);
    }

    /** Starts the servers that its file names. */
    ServerPrograms programs(
            AgentRegistrar.Registered found, AgentPlaceholders substitution, Programs programs) {
        return new SandboxedServerPrograms(
                programs, shell(found, substitution), config.toolsFolder(found.agent().username()));
    }
}
