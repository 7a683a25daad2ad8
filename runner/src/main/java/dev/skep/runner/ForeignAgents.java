package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.sync.sql.ForeignAgentStore;
import dev.skep.sync.sql.ForeignAgentStore.Origin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which agents of this host came from elsewhere. It is remembered for the agent and for its file:
 * neither a new name, nor an edit, nor anything a hub sends later makes the file one of this host.
 * Only the host's owner can. Thread-safe.
 */
final class ForeignAgents {
    private final ForeignAgentStore origins = new ForeignAgentStore();
    private final Database database;
    private final LocalHost host;
    private final ForeignAgentFiles files;
    private final InstantSource clock;

    ForeignAgents(Database database, LocalHost host, Path dataDir, InstantSource clock) {
        this.database = database;
        this.host = host;
        this.clock = clock;
        this.files = new ForeignAgentFiles(dataDir);
        recall();
    }

    /** The file restores what the database lost, and gets what it lacks itself. */
    private void recall() {
        List<Origin> kept = files.read();
        List<Origin> known = known();
        if (!known.containsAll(kept)) {
            database.write(
                    transaction -> {
                        kept.forEach(each -> origins.recall(transaction, host.org(), each));
                        return kept.size();
                    });
        }
        if (!kept.containsAll(known)) {
            keep();
        }
    }

    private List<Origin> known() {
        return database.read(snapshot -> origins.withFiles(snapshot, host.org()));
    }

    private void keep() {
        try {
            files.write(known());
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot write which agents came from elsewhere: " + e.getMessage(),
                    e);
        }
    }

    /** The address of the hub by which an agent came; empty for one of this host. */
    Optional<String> hubOf(Agent agent) {
        String path = agent.path();
        return database.read(
                snapshot ->
                        origins.ofAgent(snapshot, host.org(), agent.id().value())
                                .or(() -> ofFile(snapshot, path))
                                // Moved to another folder, by a host that forgot the agent's id.
                                .or(() -> ofFile(snapshot, agent.username() + ".yaml")));
    }

    private Optional<String> ofFile(Snapshot snapshot, @Nullable String path) {
        return path == null ? Optional.empty() : origins.ofFile(snapshot, host.org(), path);
    }

    /** Why an agent may not start here; empty if it may. */
    Optional<String> refusal(Agent agent) {
        return hubOf(agent)
                .filter(hub -> !host.keys().allows(hub).has(Consent.AGENTS))
                .map(
                        hub ->
                                "%s came by the hub %s, and %s; or make it this host's own: skep agents own %s"
                                        .formatted(
                                                agent.username(),
                                                hub,
                                                HubConsent.refusal(
                                                        hub,
                                                        host.keys().allows(hub),
                                                        Consent.AGENTS),
                                                agent.username()));
    }

    /** Before its file is written, so that there is no moment at which it counts as own. */
    void hasFile(Agent agent, String path) {
        database.write(
                transaction -> {
                    origins.hasFile(transaction, host.org(), agent.id().value(), path);
                    return path;
                });
        keep();
    }

    /** Before a hub's text is in the file; also of an agent that was this host's own until now. */
    void bringsFile(AgentId agent, String hub, String path) {
        database.write(
                transaction -> {
                    origins.bringsFile(
                            transaction,
                            host.org(),
                            new Origin(agent.value(), hub, path),
                            clock.instant());
                    return path;
                });
        keep();
    }

    /** False if it was this host's own already. */
    boolean makeOwn(Agent agent) {
        @Nullable String path = agent.path();
        boolean was =
                database.write(
                        transaction -> {
                            boolean named = own(transaction, agent, agent.username() + ".yaml");
                            return own(transaction, agent, path == null ? "" : path) || named;
                        });
        keep();
        return was;
    }

    private boolean own(Transaction transaction, Agent agent, String path) {
        return origins.makeOwn(transaction, host.org(), agent.id().value(), path);
    }
}
