package dev.skep.runner.jobs;

import dev.skep.kernel.lifecycle.Component;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The server instances of this host. They outlive the runner: at its start it takes over those that
 * still run and starts those that should. Processes are known again by a mark in their environment,
 * which also finds one whose runner died before it could write anything down.
 */
public final class Servers implements Component {
    private final ServerFiles files;
    private final Path home;
    private final InstantSource clock;
    private final Map<String, ServerProcess> byId = new ConcurrentHashMap<>();
    private volatile Runnable changed = () -> {};

    /**
     * Over what an earlier runner may have left there.
     *
     * @param folder where specs and logs are kept
     * @param home where servers run that name no cwd
     */
    public Servers(Path folder, Path home, InstantSource clock) {
        this.files = new ServerFiles(folder);
        this.home = home;
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
        if (wanted.running()) {
            alive.ifPresentOrElse(
                    process -> server.adopt(wanted.spec(), process),
                    () -> startAgain(server, wanted.spec()));
        } else if (alive.isPresent()) {
            // A stop was under way when the runner ended.
            server.adopt(wanted.spec(), alive.get());
            server.stop();
        }
    }

    private static void startAgain(ServerProcess server, ServerSpec spec) {
        if (spec.restart() != ServerSpec.Restart.NEVER) {
            server.start(spec);
        }
    }

    ServerProcess server(String id) {
        return byId.computeIfAbsent(
                id, i -> new ServerProcess(i, files, home, clock, () -> changed.run()));
    }

    Path folder(ServerSpec spec) {
        return spec.folder(home);
    }

    Path log(String id) {
        return files.log(id);
    }

    /** What hubs are told, by server. */
    public Map<String, DispatchLink.ServerNow> states() {
        Map<String, DispatchLink.ServerNow> states = new TreeMap<>();
        byId.forEach((id, server) -> states.put(id, server.now()));
        return states;
    }

    /** The topmost process with the server's mark, whoever started it. */
    private static Optional<ProcessHandle> running(String id) {
        String mark = "SKEP_SERVER_INSTANCE=" + id;
        Set<ProcessHandle> marked =
                ProcessHandle.allProcesses()
                        .filter(process -> environment(process).contains(mark))
                        .collect(Collectors.toSet());
        return marked.stream()
                .filter(p -> p.parent().filter(marked::contains).isEmpty())
                .min(Comparator.comparingLong(ProcessHandle::pid));
    }

    private static Set<String> environment(ProcessHandle process) {
        try {
            byte[] bytes = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
            String text = new String(bytes, StandardCharsets.UTF_8);
            return new HashSet<>(Arrays.asList(text.split("\0", -1)));
        } catch (IOException notOursOrGone) {
            return Set.of();
        }
    }

    @Override
    public void close() {
        byId.values().forEach(ServerProcess::leave);
    }
}
