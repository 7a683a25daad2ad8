package dev.skep.app.demo;

import dev.skep.app.assembly.TemporaryFolder;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.transport.socket.SocketLimits;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/** A hub with the supervisor and three hosts, each a process of its own, in a folder of its own. */
public final class Demo {
    private static final Duration BETWEEN_JOBS = Duration.ofSeconds(4);
    private static final Duration UNTIL_THE_KILL = Duration.ofSeconds(60);
    private static final Duration DIALLING = Duration.ofSeconds(10);
    private static final Duration GOODBYE = Duration.ofSeconds(3);
    private static final Duration AWAY = Duration.ofSeconds(45);

    /** Which agents live where; each has a file and a script in the resources. */
    private static final Map<String, List<String>> AGENTS =
            Map.of("forge", List.of("ada"), "dock", List.of("rex", "mia"), "attic", List.of("ned"));

    private static final List<String> HOSTS = List.of("forge", "dock", "attic");

    private final Lifecycle lifecycle;
    private final Settings settings;
    private final Consumer<String> output;
    private final Path folder;
    private final String accessKey = HexFormat.of().formatHex(new SecureRandom().generateSeed(16));
    private final List<DemoProcess> processes = new ArrayList<>();

    /**
     * How to start it.
     *
     * @param java the command line of a skep process up to its arguments
     * @param port where the pages are
     * @param soak how long processes are killed at random before the result is checked
     */
    public record Settings(
            List<String> java,
            int port,
            Optional<Duration> soak,
            Map<String, String> environment) {}

    public Demo(Lifecycle lifecycle, Settings settings, Consumer<String> output) {
        this.lifecycle = lifecycle;
        this.settings = settings;
        this.output = output;
        this.folder = lifecycle.own("demo folder", new TemporaryFolder()).path();
        lifecycle.own("demo processes", this::endAll);
    }

    /** Where the processes keep what they have, each in a folder of its name. */
    public Path folder() {
        return folder;
    }

    /** Starts everything and returns what a person should know, one line each. */
    public List<String> open() {
        try {
            // Nodes register with the hosts; the usual port may be that of a skep in earnest.
            List<String> arguments = List.of("hub", "--supervisor", "--registry-port", "none");
            DemoProcess hub = process("hub", arguments, hubPort());
            hub.start();
            String url = hub.awaitLine("listening on ");
            String signIn = hub.awaitLine("within the hour: ");
            HttpClient client = HttpApiClient.newClient();
            // Not its own close(), which waits for the nodes' sockets.
            lifecycle.own("demo client", client::shutdownNow);
            SocketDialer sockets =
                    lifecycle.start("demo sockets", new SocketDialer(SocketLimits.USUAL, DIALLING));
            for (String name : HOSTS) {
                int nodes = freePort();
                DemoProcess host = host(name, url, nodes);
                host.start();
                node(name + "-compiler", host, nodes, sockets);
                node(name + "-tester", host, nodes, sockets);
            }
            for (DemoProcess each : processes) {
                each.awaitLine("listening on ");
            }
            keepBusy(hub.dataDir(), client);
            return lines(signIn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.INTERNAL, "interrupted while the demo started", e);
        }
    }

    private List<String> lines(String signIn) {
        return List.of(
                "a hub and three hosts, each a process, in " + folder,
                "sign in once, within the hour: " + signIn,
                "  Overview   mia asks before she releases anything: approve or deny it",
                "  Hosts      attic is killed in a minute, and comes back",
                "  Agents     ada builds on forge, rex reviews on dock, ned counts in the attic",
                "  Mail       how they ask each other, from host to host",
                "  Jobs       one every few seconds; 'exit 3' is meant to fail",
                "  Servers    one on each host, which outlives its runner",
                "  Nodes      open one and say something to it in its console",
                "  Costs      pretended: the agents follow scripts and ask no model",
                "all of it ends and is removed with Ctrl-C");
    }

    private DemoProcess host(String name, String hubUrl, int nodes) {
        Path dataDir = folder.resolve(name);
        try {
            Path agents = Files.createDirectories(dataDir.resolve("agents"));
            for (String agent : AGENTS.getOrDefault(name, List.of())) {
                copy(name + "/" + agent + ".yaml", agents);
                copy(name + "/" + agent + ".script.yaml", agents);
            }
            Files.write(dataDir.resolve("allowed-commands"), DemoWork.allowed());
        } catch (IOException e) {
            throw new SkepException(ErrorCode.DATA_DIR_UNUSABLE, "cannot write " + dataDir, e);
        }
        List<String> arguments =
                List.of(
                        "run",
                        "--quiet",
                        "--hub-urls",
                        hubUrl,
                        "--allow",
                        Consents.OF_OWN_HUB.toString(),
                        "--registry-port",
                        "" + nodes);
        return process(name, arguments, 0);
    }

    private static void copy(String resource, Path folder) throws IOException {
        try (InputStream in = Demo.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("missing resource " + resource);
            }
            String file = resource.substring(resource.indexOf('/') + 1);
            Files.copy(in, folder.resolve(file));
        }
    }

    private DemoProcess process(String name, List<String> arguments, int port) {
        Path dataDir = folder.resolve(name);
        List<String> command = new ArrayList<>(settings.java());
        command.addAll(arguments);
        command.addAll(List.of("--data-dir", dataDir.toString()));
        command.addAll(List.of("--listen", "127.0.0.1:" + port));
        Map<String, String> environment = new HashMap<>(settings.environment());
        environment.put("HOME", folder.toString());
        environment.put("SKEP_HOSTNAME", name);
        environment.put("HUB_ACCESS_KEY", accessKey);
        var process = new DemoProcess(name, dataDir, command, environment);
        processes.add(process);
        return process;
    }

    /** All at once: together they would take too long one after the other. */
    private void endAll() throws InterruptedException {
        processes.forEach(DemoProcess::stop);
        long end = System.nanoTime() + GOODBYE.toNanos();
        for (DemoProcess each : processes) {
            each.awaitEnd(Duration.ofNanos(end - System.nanoTime()));
        }
    }

    private void node(String id, DemoProcess host, int port, SocketDialer sockets) {
        lifecycle.own(id, new DemoNode(id, host.dataDir().resolve("work"), port, sockets));
    }

    private int hubPort() {
        return settings.port() == 0 ? freePort() : settings.port();
    }

    /**
     * Port 0 would be another one after the process was killed. Below those that the system gives
     * to connections, which would take it before the process listens.
     */
    private static int freePort() {
        for (int tries = 0; tries < 1_000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException taken) {
                // another one, then
            }
        }
        throw new SkepException(ErrorCode.INTERNAL, "there is no free port from 20000 to 32000");
    }

    /** Keeps the fleet busy, and takes a host away now and then. */
    private void keepBusy(Path hubDataDir, HttpClient client) {
        var work = new DemoWork(hubDataDir, client);
        every("demo-work", BETWEEN_JOBS, work::askForSomething);
        settings.soak()
                .ifPresentOrElse(
                        length -> soak(work, length), () -> killAndReturn(processes.getLast()));
    }

    private void soak(DemoWork work, Duration length) {
        var soak = new Soak(processes, work, new SecureRandom(), output);
        Thread thread =
                Thread.ofVirtual()
                        .name("demo-soak")
                        .start(
                                () -> {
                                    try {
                                        soak.run(length);
                                        // Not by this thread, which is among what is closed.
                                        Thread.ofPlatform()
                                                .name("demo-over")
                                                .start(lifecycle::close);
                                    } catch (InterruptedException closing) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        lifecycle.own("demo-soak", thread::interrupt);
    }

    private void killAndReturn(DemoProcess attic) {
        every(
                "demo-kill",
                UNTIL_THE_KILL,
                () -> {
                    attic.kill();
                    output.accept("killed attic; it comes back in %ds".formatted(AWAY.toSeconds()));
                    Thread.sleep(AWAY);
                    attic.start();
                    attic.awaitLine("listening on ");
                    output.accept("attic is back, and goes on where it was");
                });
    }

    @FunctionalInterface
    private interface Step {
        void take() throws InterruptedException;
    }

    private void every(String name, Duration pause, Step step) {
        Thread thread =
                Thread.ofVirtual()
                        .name(name)
                        .unstarted(
                                () -> {
                                    try {
                                        while (true) {
                                            Thread.sleep(pause);
                                            step.take();
                                        }
                                    } catch (InterruptedException closing) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        // Owned last, so that nothing is started again while the processes are being closed.
        lifecycle.own(name, () -> end(thread));
        thread.start();
    }

    private static void end(Thread thread) throws InterruptedException {
        thread.interrupt();
        thread.join();
    }
}
