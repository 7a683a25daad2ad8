package dev.skep.worker;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.shell.MarkedProcesses;
import dev.skep.shell.SandboxedCommands;
import dev.skep.wire.call.HubCall;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server instances of this host. They outlive the runner: at its start it takes over those that
 * still run and starts those that should. Processes are known again by a mark in their environment,
 * which also finds one whose runner died before it could write anything down.
 */
public final class ServerInstances implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(ServerInstances.class);

    private final ServerFiles files;
    private final HostRules rules;
    private final SandboxedCommands commands;
    private final InstantSource clock;
    private final Map<String, ServerProcess> byId = new ConcurrentHashMap<>();
    private volatile Runnable changed = () -> {};
    private volatile Predicate<String> joined = hub -> true;
    private volatile Predicate<String> allowed = hub -> true;

    /**
     * Over what an earlier runner may have left there.
     *
     * @param folder where specs and logs are kept
     * @param rules what they may run, looked at anew for each start
     */
    public ServerInstances(
            Path folder, HostRules rules, SandboxedCommands commands, InstantSource clock) {
        this.files = new ServerFiles(folder);
        this.rules = rules;
        this.commands = commands;
        this.clock = clock;
    }

    /** Called when a server's state changed, on any thread. */
    public void onChange(Runnable listener) {
        changed = listener;
    }

    @Override
    public void start() {
        for (String id : files.ids()) {
            Optional<ServerFiles.DesiredState> desiredState = files.read(id);
            if (desiredState.isPresent()) {
                adopt(id, desiredState.get());
            }
        }
    }

    private void adopt(String id, ServerFiles.DesiredState desiredState) {
        ServerProcess server = server(id);
        Optional<ProcessHandle> alive = running(id);
        if (desiredState.running() && allowed.test(desiredState.hub())) {
            alive.ifPresentOrElse(
                    process -> server.adopt(desiredState.spec(), process),
                    () -> startAgain(server, desiredState));
        } else if (alive.isPresent()) {
            // A stop was under way when the runner ended, or it is no longer allowed.
            server.adopt(desiredState.spec(), alive.get());
            server.stop();
        } else if (desiredState.running()) {
            server.stop();
        }
    }

    private static void startAgain(ServerProcess server, ServerFiles.DesiredState desiredState) {
        if (desiredState.spec().restart() != ServerSpec.Restart.NEVER) {
            server.start(desiredState.spec(), desiredState.hub());
        }
    }

    /** Sets which hubs this host is joined to; a server of any other hub has no owner. */
    void joined(Predicate<String> isJoined) {
        joined = isJoined;
    }

    /** Sets for which hubs servers may run; checked before each start. */
    public void allowedTo(Predicate<String> mayRun) {
        allowed = mayRun;
    }

    /** What this host allows may have changed: servers that it allows no longer end for good. */
    public void endWhatIsNotAllowed() {
        endThose(hub -> !allowed.test(hub));
    }

    /** This host has left a hub: ends the servers of that hub. */
    void endThoseOf(String hub) {
        endThose(hub::equals);
    }

    private void endThose(Predicate<String> of) {
        for (Map.Entry<String, ServerProcess> each : byId.entrySet()) {
            Optional<ServerFiles.DesiredState> desiredState = files.read(each.getKey());
            if (desiredState.filter(found -> found.running() && of.test(found.hub())).isPresent()) {
                LOG.warn(
                        "server ended, this host no longer allows its hub jobs server={} hub={}",
                        each.getKey(),
                        desiredState.get().hub());
                each.getValue().stop();
            }
        }
    }

    /** Whether it was ever started here: a caller may invent ids. */
    boolean isKnown(String id) {
        return files.read(id).isPresent();
    }

    boolean isOf(String id, String hub) {
        return files.read(id).map(ServerFiles.DesiredState::hub).filter(hub::equals).isPresent();
    }

    /** The hub whose server it is, if that is another than this. */
    Optional<String> otherHubOf(String id, String hub) {
        return files.read(id)
                .map(ServerFiles.DesiredState::hub)
                .filter(owner -> !owner.isEmpty() && !owner.equals(hub))
                .filter(joined);
    }

    ServerProcess server(String id) {
        return byId.computeIfAbsent(
                id,
                i ->
                        new ServerProcess(
                                i,
                                files,
                                rules,
                                commands,
                                clock,
                                hub -> allowed.test(hub),
                                () -> changed.run()));
    }

    Path log(String id) {
        return files.log(id);
    }

    /** The states of this hub's servers, by server. */
    public Map<String, HubCall.ServerState> states(String hub) {
        Map<String, HubCall.ServerState> states = new TreeMap<>();
        byId.forEach(
                (id, server) -> {
                    if (isKnown(id) && otherHubOf(id, hub).isEmpty()) {
                        states.put(id, server.serverState());
                    }
                });
        return states;
    }

    /**
     * The topmost process with the server's mark that this runner, or one before it, started: what
     * runs behind a wall may call itself a server, and is not taken for one.
     */
    private static Optional<ProcessHandle> running(String id) {
        List<ProcessHandle> marked = MarkedProcesses.with(ServerFiles.mark(id)::equals);
        return marked.stream()
                .filter(MarkedProcesses::isUnconfined)
                .filter(process -> process.parent().filter(marked::contains).isEmpty())
                .min(Comparator.comparingLong(ProcessHandle::pid));
    }

    @Override
    public void close() {
        byId.values().forEach(ServerProcess::leave);
    }
}
