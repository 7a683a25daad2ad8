package dev.skep.runner;

import dev.skep.agents.Agent;
import dev.skep.agents.AgentStore;
import dev.skep.agents.AgentTables;
import dev.skep.directory.host.LocalHost;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.lifecycle.Component;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears that an agent has changed hosts: one that another host took over stops here, and one that
 * this host took over gets its file and goes on here.
 */
final class OwnershipWatch implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(OwnershipWatch.class);

    /** The name comes from another host and becomes a file's here. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}");

    private final Runner runner;
    private final Events events;
    private final AgentStore agents;
    private final LocalHost host;
    private final Path folder;
    private final Semaphore changed = new Semaphore(1);
    private Events.@Nullable Subscription subscription;
    private @Nullable Thread thread;

    OwnershipWatch(Runner runner, Events events, AgentStore agents, LocalHost host, Path folder) {
        this.runner = runner;
        this.events = events;
        this.agents = agents;
        this.host = host;
        this.folder = folder;
    }

    @Override
    public void start() {
        subscription = events.subscribe(this::heard);
        thread = Thread.ofVirtual().name("ownership-watch").start(this::watch);
    }

    private void heard(FleetEvent event) {
        if (event instanceof FleetEvent.RowsStored rows
                && rows.tables().contains(AgentTables.USERS.name())) {
            changed.release();
        }
    }

    private void watch() {
        try {
            while (true) {
                changed.acquire();
                changed.drainPermits();
                look();
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void look() {
        boolean gone = false;
        for (RunningAgent each : runner.atWork()) {
            String owner = newOwner(each);
            if (!owner.isEmpty()) {
                each.controls().stop("host %s has taken it over".formatted(owner));
                gone = true;
            }
        }
        List<String> come =
                agents.adopted().stream().filter(this::written).map(Agent::username).toList();
        if (gone || !come.isEmpty()) {
            runner.reload();
        }
        come.forEach(runner::startIfDue);
    }

    /** Empty while it is this host's. */
    private String newOwner(RunningAgent running) {
        return agents.byId(host.principal(), running.registered().agent().id())
                .filter(agent -> !agent.host().equals(host.id()))
                .map(Agent::hostName)
                .orElse("");
    }

    /** Writes the file an agent came with; false if it has one. */
    private boolean written(Agent agent) {
        String config = agent.config();
        if (config == null || !PLAIN.matcher(agent.username()).matches()) {
            return false;
        }
        Path file = folder.resolve(agent.username() + ".yaml");
        if (runner.agents().stream().anyMatch(a -> a.id().equals(agent.id()))
                || Files.exists(file)) {
            return false;
        }
        try {
            Files.createDirectories(folder);
            Files.writeString(file, config, StandardOpenOption.CREATE_NEW);
            LOG.info("agent={} taken over from another host file={}", agent.username(), file);
            return true;
        } catch (IOException e) {
            LOG.warn("agent={} taken over, but its file cannot be written", agent.username(), e);
            return false;
        }
    }

    @Override
    public void close() {
        if (subscription != null) {
            subscription.close();
        }
        if (thread != null) {
            thread.interrupt();
        }
    }
}
