package dev.skep.fleet.nemesis;

import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** All clients of a fleet, each with a thread of its own. */
final class Workload implements AutoCloseable {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> asking = new ArrayList<>();
    private final List<Thread> staying = new ArrayList<>();

    /** Starts them. */
    Workload(long seed, FaultyFleet fleet, HttpClient client, Acknowledgements ledger) {
        SplittableRandom random = new SplittableRandom(seed);
        List<ClientTask> clientTasks = new ArrayList<>();
        for (NemesisProcess each : fleet.all()) {
            clientTasks.add(new MailWorkload(client, each, fleet.readers(), ledger));
        }
        for (NemesisProcess hub : fleet.hubs) {
            clientTasks.add(new JobWorkload(client, hub, ledger));
            clientTasks.add(new OperatorWorkload(client, hub, ledger));
        }
        for (NemesisProcess runner : fleet.runners) {
            clientTasks.add(new AgentWorkload(client, runner, ledger));
            staying.add(start(new NodeWorkload(runner, ledger), random.split(), over));
        }
        clientTasks.forEach(clientTask -> asking.add(start(clientTask, random.split(), asked)));
    }

    private static Thread start(ClientTask clientTask, RandomGenerator random, CountDownLatch end) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                long pause = clientTask.pause().toMillis();
                                while (!end.await(
                                        random.nextLong(pause / 2, pause * 3 / 2),
                                        TimeUnit.MILLISECONDS)) {
                                    clientTask.step(random);
                                }
                            } catch (InterruptedException closing) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    /** Ends what is asked for; nodes stay and come back. */
    void stopAsking() throws InterruptedException {
        asked.countDown();
        for (Thread thread : asking) {
            thread.join();
        }
    }

    @Override
    public void close() {
        asked.countDown();
        over.countDown();
        for (Thread thread : asking) {
            thread.interrupt();
        }
        for (Thread thread : staying) {
            thread.interrupt();
        }
    }
}
