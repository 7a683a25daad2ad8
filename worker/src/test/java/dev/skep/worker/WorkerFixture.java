package dev.skep.worker;

import dev.skep.dispatch.DispatchTestHub;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.kernel.consent.Consent;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.shell.BashShells;
import dev.skep.shell.SandboxedCommands;
import dev.skep.shell.redact.Redactor;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.call.HubCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A hub and a worker that talk over HTTP, with real bash. */
final class WorkerFixture implements AutoCloseable {
    static final String HOST = "host:default:h1";
    static final String OPERATOR = "operator:default";
    static final String JOBS = "/api/orgs/default/jobs";

    /** What works on this machine is tried once. */
    private static final BashShells SHELLS =
            BashShells.isolated(System.getenv(), new SecureRandom());

    final DispatchTestHub hub;

    /** The data dir of the host; its {@code home} is the folder of jobs. */
    final Path folder;

    private final BlockingQueue<FleetEvent.JobRunDone> done = new LinkedBlockingQueue<>();
    private final BlockingQueue<FleetEvent.JobRunStarted> started = new LinkedBlockingQueue<>();
    final BlockingQueue<Map<String, HubCall.ServerState>> states = new LinkedBlockingQueue<>();
    SandboxedCommands commands;
    ServerInstances serverInstances;
    JobWorker worker;

    /** What the host lets the hub do; to be changed at any time. */
    volatile Consents allows = Consents.OF_OWN_HUB;

    WorkerFixture(Path folder) {
        this(folder, QueueSettings.STANDARD);
    }

    WorkerFixture(Path folder, QueueSettings leases) {
        this.folder = folder;
        hub = new DispatchTestHub(folder, 0, Optional.empty(), leases);
        hub.eventBus.subscribe(
                event -> {
                    if (event instanceof FleetEvent.JobRunDone d) {
                        done.add(d);
                    } else if (event instanceof FleetEvent.JobRunStarted s) {
                        started.add(s);
                    }
                });
        hub.beat("h1");
        startWorker();
    }

    void startWorker() {
        String process = UUID.randomUUID().toString();
        // What still waits for an earlier worker would be given the next job, and it is gone.
        hub.post(HOST, "/api/agent/jobs/next?wait=0&worker=" + process, Map.of());
        commands = commands(folder);
        HostRules rules = rules(folder, commands);
        ServerInstances all =
                new ServerInstances(
                        folder.resolve("servers"), rules, commands, InstantSource.system());
        serverInstances = all;
        all.onChange(() -> states.add(all.states(hub.url())));
        all.allowedTo(from -> !from.equals(hub.url()) || allows.has(Consent.JOBS));
        worker =
                new JobWorker(
                        new HubDispatchClient(
                                hub.url(),
                                List.of(new HttpHubTransport(hub.client(), hub.url(), () -> HOST)),
                                process),
                        new HubConsent(hub.url(), () -> allows),
                        new JobWorker.Parts(
                                "0.1.0",
                                List.of(new ShellJob(rules, commands), new ServerJob(all, rules)),
                                new HostSlots(2),
                                new HostMetrics(folder),
                                all::states,
                                new Redactor(List.of("hunter2"))));
        all.start();
        worker.start();
    }

    /** Whose folder is {@code home} of the data dir. */
    static SandboxedCommands commands(Path dataDir) {
        SandboxedCommands commands = SHELLS.commands(dataDir.resolve("home"), List.of(dataDir));
        commands.endLeftovers();
        return commands;
    }

    /** All commands, unless the data dir says otherwise. */
    static HostRules rules(Path dataDir, SandboxedCommands commands) {
        Path allowed = dataDir.resolve("allowed-commands");
        return new HostRules(
                Files.exists(allowed) ? AllowedCommands.listedIn(allowed) : AllowedCommands.of("*"),
                AllowedEnv.listedIn(dataDir.resolve("allowed-env")),
                commands,
                dataDir);
    }

    static ShellJob shellJob(Path dataDir) {
        SandboxedCommands commands = commands(dataDir);
        return new ShellJob(rules(dataDir, commands), commands);
    }

    /** What this host answers a job about a server that a hub sends. */
    JobResult askAs(String from, String type, String server) {
        Map<String, Object> payload =
                Map.of("serverInstanceId", server, "spec", Map.of("command", "sleep 1000"));
        return new ServerJob(serverInstances, rules(folder, commands))
                .run(
                        new AssignedRun(
                                from,
                                "job",
                                "run",
                                type,
                                Json.fields(Json.text(payload)),
                                1,
                                Optional.empty()),
                        (stream, text) -> {});
    }

    /** Asks for a job and returns it. */
    JsonFields create(Map<String, Object> job) {
        return hub.post(OPERATOR, JOBS, job).fields();
    }

    JsonFields shell(String command) {
        return create(
                Map.of("hostId", "h1", "type", "shell", "payload", Map.of("command", command)));
    }

    FleetEvent.JobRunDone awaitDone() throws InterruptedException {
        FleetEvent.JobRunDone event = done.poll(30, TimeUnit.SECONDS);
        if (event == null) {
            throw new IllegalStateException("no run ended in time");
        }
        return event;
    }

    void awaitStarted() throws InterruptedException {
        if (started.poll(30, TimeUnit.SECONDS) == null) {
            throw new IllegalStateException("no run started in time");
        }
    }

    String awaitState(String server, String wanted) throws InterruptedException {
        while (true) {
            Map<String, HubCall.ServerState> next = states.poll(30, TimeUnit.SECONDS);
            if (next == null) {
                throw new IllegalStateException(server + " never became " + wanted);
            }
            HubCall.ServerState serverState = next.get(server);
            if (serverState != null && serverState.state().equals(wanted)) {
                return wanted;
            }
        }
    }

    JsonFields shown(JsonFields job) {
        return hub.get(OPERATOR, JOBS + "/" + job.text("id")).fields();
    }

    String output(FleetEvent.JobRunDone run) {
        StringBuilder all = new StringBuilder();
        hub.get(OPERATOR, JOBS + "/" + run.job() + "/runs/" + run.run() + "/output")
                .fields()
                .list("chunks")
                .forEach(chunk -> all.append(chunk.text("text")));
        return all.toString();
    }

    @Override
    public void close() {
        worker.close();
        serverInstances.close();
        hub.close();
    }
}
