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
    Workload(long seed, TroubledFleet fleet, HttpClient client, Acknowledgements ledger) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Work> works = new ArrayList<>();
        for (Victim each : fleet.all()) {
            works.add(new SendingMail(client, each, fleet.readers(), ledger));
        }
        for (Victim hub : fleet.hubs) {
            works.add(new AskingForJobs(client, hub, ledger));
            works.add(new MakingOperators(client, hub, ledger));
        }
        for (Victim runner : fleet.runners) {
            works.add(new MakingAgents(client, runner, ledger));
            staying.add(start(new RegisteringNodes(runner, ledger), random.split(), over));
        }
        works.forEach(work -> asking.add(start(work, random.split(), asked)));
    }

    private static Thread start(Work work, RandomGenerator random, CountDownLatch end) {
        return Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                long pause = work.pause().toMillis();
                                while (!end.await(
                                        random.nextLong(pause / 2, pause * 3 / 2),
                                        TimeUnit.MILLISECONDS)) {
                                    work.step(random);
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
