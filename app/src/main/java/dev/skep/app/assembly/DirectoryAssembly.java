package dev.skep.app.assembly;

import dev.skep.agents.AgentStore;
import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.SecretValue;
import dev.skep.directory.assembly.Directory;
import dev.skep.directory.assembly.DirectoryModule;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.module.HostProcess;
import dev.skep.dispatch.host.HostConsents;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import dev.skep.runner.module.RunnerModule;
import java.util.Optional;

/** Connects the directory to what it asks of agents and of dispatch. */
final class DirectoryAssembly {
    private DirectoryAssembly() {}

    /**
     * Stands on the database people sign in to.
     *
     * @param own the host whose hubs and key the command line is about: a runner's, where one is
     */
    static DirectoryModule of(
            Configuration configuration, HostProcess people, LocalHost own, EventBus eventBus) {
        return new DirectoryModule(
                people,
                own,
                eventBus,
                new Directory.Config(
                        configuration.dataDir(),
                        configuration.links().accessKey().map(SecretValue::value),
                        Runtime.getRuntime().availableProcessors(),
                        (who, agent) -> agent(people, who, agent),
                        new HostConsents(people.database())::of),
                configuration.listener().plainOffLoopback());
    }

    /** Of two hosts' agents with one name, the one that holds the name, as with mail. */
    private static Optional<ApiKeyStore.Subject> agent(
            HostProcess people, Principal who, String nameOrId) {
        AgentStore agents = RunnerModule.stores(people).agents();
        return people.database()
                .read(
                        snapshot ->
                                agents.byId(snapshot, who, new AgentId(nameOrId))
                                        .or(
                                                () ->
                                                        agents
                                                                .named(snapshot, who, nameOrId)
                                                                .stream()
                                                                .findFirst()))
                .map(found -> new ApiKeyStore.Subject(found.id().value(), found.host().value()));
    }
}
