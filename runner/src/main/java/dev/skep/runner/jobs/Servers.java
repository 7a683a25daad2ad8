package dev.skep.runner.jobs;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.runner.shell.MarkedProcesses;
import dev.skep.runner.shell.WalledCommands;
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
public final class Servers implements Component {
    private static final Logger LOG = LoggerFactory.getLogger(Servers.class);

    private final ServerFiles files;
    private final HostRules rules;
    private final WalledCommands commands;
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
    public Servers(Path folder, HostRules rules, WalledCommands commands, InstantSource clock) {
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
            Optional<ServerFiles.Wanted> wanted = files.read(id);
            if (wanted.isPresent()) {
                takeUp(id, wanted.get());
            }
        }
    }

    private void takeUp(String id, ServerFiles.Wanted wanted) {
        ServerProcess server = server(id);
        Optional<ProcessHandle> alive = running(id);
        if (wanted.running() && allowed.test(wanted.hub())) {
            alive.ifPresentOrElse(
                    process -> server.adopt(wanted.spec(), process),
                    () -> startAgain(server, wanted));
        } else if (alive.isPresent()) {
            // A stop was under way when the runner ended, or it is no longer allowed.
            server.adopt(wanted.spec(), alive.get());
            server.stop();
        } else if (wanted.running()) {
            server.stop();
        }
    }

    private static void startAgain(ServerProcess server, ServerFiles.Wanted wanted) {
        if (wanted.spec().restart() != ServerSpec.Restart.NEVER) {
            server.start(wanted.spec(), wanted.hub());
        }
    }

    /** Tells which hubs this host is joined to; a server of any other is nobody's. */
    void joined(Predicate<String> isJoined) {
        joined = isJoined;
    }

    /** Tells for which hubs servers may run; asked before each start. */
    public void allowedTo(Predicate<String> mayRun) {
        allowed = mayRun;
    }

    /** What this host allows may have changed: servers that it allows no longer end for good. */
    public void endWhatIsNotAllowed() {
        endThose(hub -> !allowed.test(hub));
    }

    /** A hub is no longer this host's: nobody may have its servers run any more. */
    void endThoseOf(String hub) {
        endThose(hub::equals);
    }

    private void endThose(Predicate<String> of) {
        for (Map.Entry<String, ServerProcess> each : byId.entrySet()) {
            Optional<ServerFiles.Wanted> wanted = files.read(each.getKey());
            if (wanted.filter(found -> found.running() && of.test(found.hub())).isPresent()) {
                LOG.warn(
                        "server ended, this host no longer allows its hub jobs server={} hub={}",
                        each.getKey(),
                        wanted.get().hub());
                each.getValue().stop();
            }
        }
    }

    /** Whether it was ever started here: whoever asks may make ids up. */
    boolean isKnown(String id) {
        return files.read(id).isPresent();
    }

    boolean isOf(String id, String hub) {
        return files.read(id).map(ServerFiles.Wanted::hub).filter(hub::equals).isPresent();
    }

    /** The hub whose server it is, if that is another than this. */
    Optional<String> otherHubOf(String id, String hub) {
        return files.read(id)
                .map(ServerFiles.Wanted::hub)
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

    /** What a hub is told, by server: of its own. */
    public Map<String, DispatchLink.ServerNow> states(String hub) {
        Map<String, DispatchLink.ServerNow> states = new TreeMap<>();
        byId.forEach(
                (id, server) -> {
                    if (isKnown(id) && otherHubOf(id, hub).isEmpty()) {
                        states.put(id, server.now());
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
                .filter(MarkedProcesses::isBesideUs)
                .filter(process -> process.parent().filter(marked::contains).isEmpty())
                .min(Comparator.comparingLong(ProcessHandle::pid));
    }

    @Override
    public void close() {
        byId.values().forEach(ServerProcess::leave);
    }
}
