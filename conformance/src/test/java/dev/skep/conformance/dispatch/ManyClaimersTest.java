package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Short form; in full with {@code -Dskep.claims=100000}. */
@ParameterizedClass
@EnumSource(QueueEngine.class)
class ManyClaimersTest {
    private static final int JOBS = Integer.getInteger("skep.claims", 1_500);
    private static final int CLAIMERS = 64;
    private static final int HOSTS = 20;

    private final QueueEngine engine;
    @TempDir Path folder;

    /** What one claimer saw: it surely held the run from when it was told until it reported. */
    private record Held(Assignment run, long from, long until, ReportResult settlement) {}

    private final AtomicLong tick = new AtomicLong();
    private final AtomicInteger left = new AtomicInteger(JOBS);
    private final CountDownLatch done = new CountDownLatch(1);
    private final ConcurrentLinkedQueue<Held> history = new ConcurrentLinkedQueue<>();

    ManyClaimersTest(QueueEngine engine) {
        this.engine = engine;
    }

    @Test
    void each_attempt_is_handed_out_once_and_no_cap_is_ever_exceeded() throws Exception {
        Optional<InstantSource> clock = Optional.of(InstantSource.system());
        try (QueueFixture fixture =
                new QueueFixture(
                        engine, engine.database().create(folder), clock, Optional.empty())) {
            List<Principal.Host> hosts = hosts(fixture);
            // The second hub is another process in all but name where the engine allows one.
            QueueEngine.Started other = engine == QueueEngine.SQLITE ? null : fixture.secondHub();
            List<JobQueue> hubs =
                    other == null
                            ? List.of(fixture.queue())
                            : List.of(fixture.queue(), other.queue());
            create(fixture, hosts);
            claimAll(hubs, hosts);
            if (other != null) {
                other.close();
            }
            assertThat(unfinished(fixture)).isZero();
        }
        everyAttemptOnce();
        capsHeld();
    }

    private static List<Principal.Host> hosts(QueueFixture fixture) {
        List<Principal.Host> hosts = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            Principal.Host host =
                    new Principal.Host(QueueFixture.ORG, new HostId("busy-%02d".formatted(i)));
            hosts.add(host);
            fixture.database.write(
                    tx -> {
                        fixture.hosts.admit(
                                tx,
                                host.org(),
                                List.of(host.id()),
                                InstantSource.system().instant());
                        return true;
                    });
            fixture.limit(host, new HostLimits(cap(host.id()), null));
        }
        return hosts;
    }

    private static int cap(HostId host) {
        return 1 + Integer.parseInt(host.value().substring(5)) % 3;
    }

    private static void create(QueueFixture fixture, List<Principal.Host> hosts) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < JOBS; i++) {
            jobs.add(
                    NewJob.plain(hosts.get(i % HOSTS).id(), "shell", "{\"n\":" + i + "}")
                            .withPriority(i % 3));
            if (jobs.size() == 500 || i == JOBS - 1) {
                fixture.queue().create(QueueFixture.OPERATOR, jobs);
                jobs.clear();
            }
        }
    }

    private void claimAll(List<JobQueue> hubs, List<Principal.Host> hosts) throws Exception {
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> claimers = new ArrayList<>();
            for (int i = 0; i < CLAIMERS; i++) {
                JobQueue hub = hubs.get(i % hubs.size());
                Random random = new Random(i);
                claimers.add(pool.submit(() -> claimUntilDone(hub, hosts, random)));
            }
            for (Future<?> claimer : claimers) {
                claimer.get();
            }
        }
    }

    private boolean claimUntilDone(JobQueue hub, List<Principal.Host> hosts, Random random)
            throws InterruptedException {
        while (left.get() > 0) {
            Principal.Host host = hosts.get(random.nextInt(HOSTS));
            if (hub.claim(host) instanceof ClaimResult.Claimed(Assignment run)) {
                long from = tick.incrementAndGet();
                // Held for a moment, so that others have a chance to get too much.
                done.await(100, TimeUnit.MICROSECONDS);
                long until = tick.incrementAndGet();
                ReportResult reportResult =
                        hub.settle(
                                host,
                                new RunReport(
                                        run.run(), run.attempt(), RunOutcome.SUCCEEDED, null));
                history.add(new Held(run, from, until, reportResult));
                if (left.decrementAndGet() == 0) {
                    done.countDown();
                }
            }
        }
        return true;
    }

    private static long unfinished(QueueFixture fixture) {
        return fixture.database.read(
                s ->
                        s.first(
                                        "SELECT count(*) FROM job_runs WHERE status <> 'succeeded'",
                                        row -> row.number(1))
                                .orElseThrow());
    }

    private void everyAttemptOnce() {
        assertThat(history).hasSize(JOBS);
        Set<String> attempts = new HashSet<>();
        for (Held held : history) {
            assertThat(attempts.add(held.run.job() + "/" + held.run.attempt())).isTrue();
            assertThat(held.settlement).isEqualTo(ReportResult.APPLIED);
        }
    }

    private void capsHeld() {
        Map<HostId, List<long[]>> edges = new HashMap<>();
        for (Held held : history) {
            Collection<long[]> of = edges.computeIfAbsent(held.run.host(), h -> new ArrayList<>());
            of.add(new long[] {held.from, 1});
            of.add(new long[] {held.until, -1});
        }
        edges.forEach(
                (host, of) -> {
                    of.sort(Comparator.comparingLong(edge -> edge[0]));
                    long running = 0;
                    long most = 0;
                    for (long[] edge : of) {
                        running += edge[1];
                        most = Math.max(most, running);
                    }
                    assertThat(most)
                            .as("most runs at once on %s", host)
                            .isLessThanOrEqualTo(cap(host));
                });
    }
}
