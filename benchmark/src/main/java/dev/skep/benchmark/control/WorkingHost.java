package dev.skep.benchmark.control;

import dev.skep.app.adapter.LocalAgentHolds;
import dev.skep.benchmark.dispatch.HttpHub;
import dev.skep.benchmark.runner.LoadedRunner;
import dev.skep.kernel.consent.HubConsent;
import dev.skep.models.CommandCall;
import dev.skep.models.Model;
import dev.skep.models.ModelCard;
import dev.skep.models.ModelListener;
import dev.skep.models.ModelReply;
import dev.skep.models.ModelRequest;
import dev.skep.models.Models;
import dev.skep.models.Prices;
import dev.skep.models.Usage;
import dev.skep.runner.loop.AgentListener;
import dev.skep.shell.BashShells;
import dev.skep.shell.redact.Redactor;
import dev.skep.worker.HostMetrics;
import dev.skep.worker.HostSlots;
import dev.skep.worker.HubDispatchClient;
import dev.skep.worker.JobWorker;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A runner whose agents ask their model and run a command all the time, linked to a hub. */
final class WorkingHost implements AutoCloseable {
    private static final long THINKS_MILLIS = 200;

    private final LoadedRunner loaded;
    private final JobWorker worker;
    private final int agents;
    private final AtomicLong heldAt = new AtomicLong();

    /** When each agent last asked its model, by what its prompt begins with. */
    private final Map<String, AtomicLong> asked = new ConcurrentHashMap<>();

    WorkingHost(HttpHub hub, String id, Path folder, int agents)
            throws IOException, InterruptedException {
        this.agents = agents;
        LoadedRunner.writeAgents(
                folder, agents, "prompt: You are ${agent.username}.\nmodel: busy\n");
        loaded =
                new LoadedRunner(
                        folder,
                        new Busy(),
                        BashShells.trusted(
                                Map.of("PATH", System.getenv("PATH")), new SecureRandom()),
                        AgentListener.NOBODY);
        worker =
                new JobWorker(
                        new HubDispatchClient(
                                hub.url(), List.of(hub.link("host:default:" + id)), "worker-" + id),
                        HubConsent.toAll(hub.url()),
                        new JobWorker.Parts(
                                "bench",
                                List.of(),
                                new HostSlots(1),
                                new HostMetrics(folder),
                                _ -> Map.of(),
                                new Redactor(List.of())),
                        Optional.of(new LocalAgentHolds(loaded.runner, InstantSource.system())));
        // After the runner's own listener, so all of its agents are held by then.
        loaded.runner
                .holds()
                .onChange(
                        () -> {
                            if (loaded.runner.holds().why().isPresent()) {
                                heldAt.set(System.nanoTime());
                            }
                        });
        loaded.runner.start();
        worker.start();
    }

    long heldAt() {
        return heldAt.get();
    }

    long lastCallAt() {
        return asked.values().stream().mapToLong(AtomicLong::get).max().orElse(0);
    }

    boolean allAskedSince(long since) {
        return asked.size() == agents && asked.values().stream().allMatch(at -> at.get() >= since);
    }

    @Override
    public void close() {
        worker.close();
        loaded.close();
    }

    /** Answers each with one command, after a while. */
    private final class Busy implements Models {
        private static final ModelCard CARD =
                new ModelCard("busy", "bench", 1_000_000_000, Prices.FREE, true, false);

        @Override
        public List<ModelCard> cards() {
            return List.of(CARD);
        }

        @Override
        public Opening open(String name, Path folder) {
            return new Opening.Ready(
                    new Model() {
                        @Override
                        public ModelCard card() {
                            return CARD;
                        }

                        @Override
                        public ModelReply ask(ModelRequest request, ModelListener listener)
                                throws InterruptedException {
                            asked.computeIfAbsent(request.system(), _ -> new AtomicLong())
                                    .set(System.nanoTime());
                            TimeUnit.MILLISECONDS.sleep(THINKS_MILLIS);
                            return new ModelReply.Answered(
                                    "",
                                    List.of(new CommandCall("call", "echo at work")),
                                    null,
                                    ModelReply.Stop.DONE,
                                    new Usage(10, 10, 0, 0));
                        }
                    });
        }

        @Override
        public void close() {}
    }
}
