package dev.skep.conformance.dispatch;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.runner.jobs.AllowedCommands;
import dev.skep.runner.jobs.DispatchLink;
import dev.skep.runner.jobs.HostMetrics;
import dev.skep.runner.jobs.HostSlots;
import dev.skep.runner.jobs.HttpCaller;
import dev.skep.runner.jobs.HubDispatchLink;
import dev.skep.runner.jobs.JobWorker;
import dev.skep.runner.jobs.ServerJob;
import dev.skep.runner.jobs.Servers;
import dev.skep.runner.jobs.ShellJob;
import dev.skep.transport.route.Fields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A hub and a worker that talk over HTTP, with real bash. */
final class WorkerFixture implements AutoCloseable {
    static final String HOST = "host:default:h1";
    static final String OPERATOR = "operator:default";
    static final String JOBS = "/api/orgs/default/jobs";

    final TestHub hub;
    final Path folder;
    private final BlockingQueue<FleetEvent.JobRunDone> done = new LinkedBlockingQueue<>();
    private final BlockingQueue<FleetEvent.JobRunStarted> started = new LinkedBlockingQueue<>();
    final BlockingQueue<Map<String, DispatchLink.ServerNow>> states = new LinkedBlockingQueue<>();
    Servers servers;
    JobWorker worker;

    WorkerFixture(Path folder) {
        this.folder = folder;
        hub = new TestHub(folder);
        hub.events.subscribe(
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
        Path home = made(folder.resolve("home"));
        String process = UUID.randomUUID().toString();
        // What still waits for an earlier worker would be given the next job, and it is gone.
        hub.post(HOST, "/api/agent/jobs/next?wait=0&worker=" + process, Map.of());
        AllowedCommands allowed = AllowedCommands.of("*");
        Servers all = new Servers(folder.resolve("servers"), home, InstantSource.system());
        servers = all;
        all.onChange(() -> states.add(all.states()));
        worker =
                new JobWorker(
                        new HubDispatchLink(
                                new HttpCaller(hub.client(), hub.url(), () -> HOST), process),
                        new JobWorker.Parts(
                                "0.1.0",
                                List.of(new ShellJob(allowed, home), new ServerJob(all, allowed)),
                                new HostSlots(2),
                                new HostMetrics(folder),
                                all::states,
                                text -> text.replace("hunter2", "[redacted]")));
        all.start();
        worker.start();
    }

    private static Path made(Path folder) {
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks for a job and returns it. */
    Fields create(Map<String, Object> job) {
        return hub.post(OPERATOR, JOBS, job).fields();
    }

    Fields shell(String command) {
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
            Map<String, DispatchLink.ServerNow> next = states.poll(30, TimeUnit.SECONDS);
            if (next == null) {
                throw new IllegalStateException(server + " never became " + wanted);
            }
            DispatchLink.ServerNow now = next.get(server);
            if (now != null && now.state().equals(wanted)) {
                return wanted;
            }
        }
    }

    Fields shown(Fields job) {
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
        servers.close();
        hub.close();
    }
}
