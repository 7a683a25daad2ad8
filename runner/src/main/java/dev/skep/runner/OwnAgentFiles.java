package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.UlidSource;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.runtime.RuntimeInventory;
import dev.skep.shell.Programs;
import dev.skep.shell.redact.Redactor;
import dev.skep.store.Database;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The files of this host's agents, with what reads, checks and registers them. */
record OwnAgentFiles(
        RunnerStores stores,
        LocalHost host,
        UlidSource ids,
        AgentFolder folder,
        Redactor redactor,
        HostSecrets secrets,
        ForeignAgents foreign,
        AgentFileInterpreter interpreter,
        RuntimeInventory runtimes,
        AgentRegistrar registrar,
        AgentChecks checks) {

    /**
     * Those of a data dir.
     *
     * @param programs starts the programs of runtimes; null where none runs
     */
    static OwnAgentFiles of(
            RunnerConfig config,
            Database database,
            RunnerStores stores,
            LocalHost host,
            UlidSource ids,
            InstantSource clock,
            @Nullable Programs programs) {
        Redactor redactor = new Redactor(SecretVariables.in(config.environment()));
        HostSecrets secrets = new HostSecrets(config.dataDir(), host, redactor);
        ForeignAgents foreign = new ForeignAgents(database, host, config.dataDir(), clock);
        AgentFolder folder = new AgentFolder(config.agentsFolder());
        RuntimeInventory runtimes =
                new RuntimeInventory(config.dataDir(), config.searchPath(), programs);
        AgentRegistrar registrar = new AgentRegistrar(stores, host, ids, clock, redactor);
        return new OwnAgentFiles(
                stores,
                host,
                ids,
                folder,
                redactor,
                secrets,
                foreign,
                new AgentFileInterpreter(config, host, foreign, redactor, secrets),
                runtimes,
                registrar,
                new AgentChecks(folder, registrar, runtimes, config.totalLimit() != null));
    }

    /**
     * What changes them.
     *
     * @param files reads them all again, and keeps others from doing so meanwhile
     */
    AgentFileEditor editor(AgentFileEditor.Files files) {
        return new AgentFileEditor(
                new AgentFileEditor.Parts(
                        stores,
                        host,
                        ids,
                        folder,
                        foreign,
                        new AgentTextChecks(folder, checks, interpreter, redactor, stores),
                        redactor,
                        files));
    }

    /** What changes them while no runner runs. */
    AgentFileEditor soleEditor() {
        return editor(new FilesOfStoppedRunner(this));
    }

    /** Nobody else reads them: the command holds the data dir. */
    private record FilesOfStoppedRunner(OwnAgentFiles own) implements AgentFileEditor.Files {
        @Override
        public void read() {
            own.register();
        }

        @Override
        public <T> T exclusively(Supplier<T> use) {
            return use.get();
        }
    }

    /** Gives each file its row. */
    void register() {
        registrar.register(folder.read().agents());
    }

    /** An agent of this host, removed or not. */
    Optional<Agent> agent(String username) {
        return stores.agents().onThisHost().stream()
                .filter(agent -> agent.username().equals(username))
                .findFirst();
    }

    ActionResult unknown(String username) {
        return new ActionResult.Refused(
                "there is no agent '%s' on %s; 'skep agents' lists them"
                        .formatted(username, host.name()));
    }
}
