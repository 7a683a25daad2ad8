package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.PeriodicTask;
import dev.skep.runner.agent.AgentBundle;
import dev.skep.store.Database;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reacts to what happened to agents elsewhere: an agent that another host took over stops here, one
 * that this host took over gets its file and continues here, and one whose name another agent had
 * first is reported.
 */
final class OwnershipListener implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(OwnershipListener.class);
    private static final Duration LOOK_ANYWAY = Duration.ofMinutes(10);

    private final Runner runner;
    private final Database database;
    private final AgentStore agents;
    private final ForeignAgents foreign;
    private final LocalHost host;
    private final Path folder;
    private final NameConflictReporter nameConflictReporter;
    private final PeriodicTask task =
            new PeriodicTask("ownership-watch", Duration.ZERO, LOOK_ANYWAY, this::look);
    private final Set<AgentId> reported = new HashSet<>();
    private Database.@Nullable Listening listening;

    OwnershipListener(
            Runner runner,
            Database database,
            AgentStore agents,
            ForeignAgents foreign,
            LocalHost host,
            Path folder,
            NameConflictReporter nameConflictReporter) {
        this.runner = runner;
        this.database = database;
        this.agents = agents;
        this.foreign = foreign;
        this.host = host;
        this.folder = folder;
        this.nameConflictReporter = nameConflictReporter;
    }

    @Override
    public void start() {
        listening = database.onWritten(this::onWritten);
        // A consent that is given later counts at once.
        host.keys().onHubs(task::wake);
        task.start();
    }

    private void onWritten(Set<String> tables) {
        if (tables.isEmpty() || tables.contains(AgentTables.USERS.name())) {
            task.wake();
        }
    }

    private void look() {
        nameConflictReporter.look();
        boolean gone = false;
        for (RunningAgent each : runner.atWork().all()) {
            String owner = newOwner(each);
            if (!owner.isEmpty()) {
                each.controls().stop("host %s has taken it over".formatted(owner));
                gone = true;
            }
            // Agents whose hub may no longer bring any are stopped.
            foreign.refusal(each.registered().agent()).ifPresent(each.controls()::stop);
        }
        List<String> come =
                agents.adopted().stream().filter(this::comes).map(Agent::username).toList();
        if (gone || !come.isEmpty()) {
            runner.reload();
        }
        come.forEach(runner.atWork()::startIfDue);
    }

    /** Empty while it is this host's. */
    private String newOwner(RunningAgent running) {
        return agents.byId(host.principal(), running.registered().agent().id())
                .filter(agent -> !agent.host().equals(host.id()))
                .map(Agent::hostName)
                .orElse("");
    }

    /** One agent whose files cannot be used keeps no other from its own. */
    private boolean comes(Agent agent) {
        try {
            return written(agent);
        } catch (RuntimeException e) {
            return cannot(agent, "its files cannot be used: " + e.getMessage());
        }
    }

    /** Writes the files an agent came with; false if it has them, or cannot have them here. */
    private boolean written(Agent agent) {
        if (runner.agents().stream().anyMatch(known -> known.id().equals(agent.id()))) {
            return false;
        }
        // A hub can write any row; the consent of this host is in a table of its own.
        if (foreign.hubOf(agent).isEmpty()) {
            return cannot(agent, "no hub that this host lets bring agents has brought it");
        }
        Optional<String> refusal = foreign.refusal(agent);
        if (refusal.isPresent()) {
            return cannot(agent, refusal.get());
        }
        String config = agent.config();
        if (config == null || !AgentBundle.isName(agent.username())) {
            return cannot(agent, "it came without a file");
        }
        AgentBundle bundle = AgentBundle.parse(config);
        Optional<String> problem = bundle.problem(agent.username());
        if (problem.isPresent()) {
            return cannot(agent, problem.get());
        }
        Path file = folder.resolve(agent.username() + ".yaml");
        if (Files.exists(file)) {
            return cannot(agent, file + " is another's; rename that one");
        }
        try {
            foreign.hasFile(agent, folder.relativize(file).toString());
            DurableFiles.createFolders(folder);
            for (Map.Entry<String, String> script : bundle.scripts().entrySet()) {
                write(agent, folder.resolve(script.getKey()), script.getValue());
            }
            DurableFiles.create(file, DurableFiles.Access.USUAL, bundle.agent());
            LOG.info("agent={} taken over from another host file={}", agent.username(), file);
            return true;
        } catch (IOException e) {
            return cannot(agent, "its file cannot be written: " + e);
        }
    }

    /** A file that another agent here uses is not overwritten. */
    private static void write(Agent agent, Path script, String text) throws IOException {
        if (!Files.exists(script)) {
            DurableFiles.createFolders(script.resolveSibling("."));
            DurableFiles.create(script, DurableFiles.Access.USUAL, text);
        } else if (!Files.readString(script).equals(text)) {
            LOG.warn("agent={} plays the file of this host={}", agent.username(), script);
        }
    }

    private boolean cannot(Agent agent, String why) {
        if (reported.add(agent.id())) {
            LOG.warn("agent={} taken over but not started: {}", agent.username(), why);
        }
        return false;
    }

    @Override
    public void close() {
        if (listening != null) {
            listening.close();
        }
        task.close();
    }
}
