package dev.skep.worker;

import dev.skep.directory.host.LocalHost;
import dev.skep.directory.link.EnrolledHub;
import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.HubLinkPart;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.net.http.HttpClient;
import java.util.List;
import java.util.function.Consumer;

/** The jobs of this host, for every hub it is joined to. */
public final class WorkerModule implements FeatureModule {
    private final LocalHost host;
    private final Component jobs;
    private final WorkerStarter starter;
    private final Consumer<JobWorker> stopper;
    private final Runnable hubsChanged;
    private final List<HubTask> tasks;

    private interface WorkerStarter {
        HubWorkers.HubWork start(EnrolledHub hub, HubConsent consent, HttpClient client);
    }

    private WorkerModule(
            LocalHost host,
            Component jobs,
            WorkerStarter starter,
            Consumer<JobWorker> stopper,
            Runnable hubsChanged,
            List<HubTask> tasks) {
        this.host = host;
        this.jobs = jobs;
        this.starter = starter;
        this.stopper = stopper;
        this.hubsChanged = hubsChanged;
        this.tasks = List.copyOf(tasks);
    }

    /**
     * Jobs and servers.
     *
     * @param tasks what others do with the same hubs
     */
    public static WorkerModule of(LocalHost host, HostJobs jobs, List<HubTask> tasks) {
        return new WorkerModule(
                host, jobs, jobs::startWorker, jobs::stopWorker, jobs::consentsChanged, tasks);
    }

    /** Nothing but jobs of the types the workers were given. */
    public static WorkerModule of(LocalHost host, HubWorkers workers) {
        return new WorkerModule(
                host, workers, workers::workFor, workers::workNoMore, workers::beatSoon, List.of());
    }

    @Override
    public void open(Lifecycle lifecycle) {
        lifecycle.own("consents", host.keys().onHubs(hubsChanged));
    }

    @Override
    public HubLinkPart join(EnrolledHub hub, HubConsent consent, HttpClient client) {
        HubWorkers.HubWork work = starter.start(hub, consent, client);
        List<Runnable> ends =
                tasks.stream().map(task -> task.join(hub, consent, work.client()::ask)).toList();
        return new HubLinkPart(
                List.of(work.calls()),
                () -> {
                    ends.forEach(Runnable::run);
                    stopper.accept(work.worker());
                });
    }

    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        lifecycle.start("jobs", jobs);
    }
}
