package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.HostUsage;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.Steering;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Renewal;
import dev.skep.dispatch.queue.Room;
import dev.skep.dispatch.queue.ledger.HostHoldings;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The queues as Redis keeps them: typed calls of the scripts. Thread-safe. */
final class RedisQueues {
    private final StatefulRedisConnection<String, String> redis;
    private final Script enqueue;
    private final Script turn;
    private final Script release;
    private final Script withdraw;
    private final Script renew;
    private final Script expire;
    private final Script restore;

    RedisQueues(StatefulRedisConnection<String, String> redis) {
        this.redis = redis;
        this.enqueue = Script.load(redis, "enqueue", ScriptOutputType.INTEGER);
        this.turn = Script.load(redis, "turn", ScriptOutputType.OBJECT);
        this.release = Script.load(redis, "release", ScriptOutputType.INTEGER);
        this.withdraw = Script.load(redis, "withdraw", ScriptOutputType.INTEGER);
        this.renew = Script.load(redis, "renew", ScriptOutputType.OBJECT);
        this.expire = Script.load(redis, "expire", ScriptOutputType.OBJECT);
        this.restore = Script.load(redis, "restore", ScriptOutputType.INTEGER);
    }

    /** This Redis has lost everything and must be filled from the ledger first. */
    static final class Empty extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    void enqueue(List<WaitingRuns.Waiting> entries) {
        if (entries.isEmpty()) {
            return;
        }
        List<String> arguments = new ArrayList<>(entries.size() * 7);
        for (WaitingRuns.Waiting entry : entries) {
            Assignment run = entry.assignment();
            arguments.add(entry.org().value());
            arguments.add(run.host().value());
            arguments.add(run.job().value());
            arguments.add(run.run().value());
            arguments.add(Integer.toString(entry.priority()));
            arguments.add(flag(entry.priority() >= Steering.FLOOR));
            arguments.add(RunData.of(run));
        }
        enqueue.run(arguments);
    }

    private static String flag(boolean set) {
        return set ? "1" : "0";
    }

    /** Lets claims begin: all that the ledger knows is here. */
    void markFilled() {
        redis.sync().set("jobs:generation", "1");
    }

    /**
     * What one host says is over, and how much it asks for within its limits.
     *
     * @param anything how many runs of any kind
     * @param steering how many more of those that steer
     */
    record Asking(
            Principal.Host host, HostLimits limits, int anything, int steering, List<RunId> over) {}

    /**
     * What one host gets; where that is nothing, why.
     *
     * @param steering how many of the runs steer; they come first
     */
    record Given(List<Assignment> runs, int steering, Refusal refusal) {}

    /** Why a host was given less than it asked for. */
    enum Refusal {
        NONE,
        AT_CAP,
        RATE_LIMITED
    }

    List<Given> turn(List<Asking> asking, Instant now, Instant leaseUntil) {
        List<String> arguments = new ArrayList<>(3 + asking.size() * 12);
        arguments.add(Long.toString(leaseUntil.toEpochMilli()));
        arguments.add(Long.toString(now.getEpochSecond() / 60));
        arguments.add(Integer.toString(-Steering.FLOOR));
        for (Asking each : asking) {
            Integer perMinute = each.limits().perMinute();
            arguments.add(each.host().org().value());
            arguments.add(each.host().id().value());
            arguments.add(Integer.toString(each.limits().concurrent()));
            arguments.add(Integer.toString(perMinute == null ? -1 : perMinute));
            arguments.add(Integer.toString(each.anything()));
            arguments.add(Integer.toString(each.steering()));
            arguments.add(Integer.toString(each.over().size()));
            each.over().forEach(run -> arguments.add(run.value()));
        }
        List<?> answers = run(turn, arguments);
        List<Given> given = new ArrayList<>(asking.size());
        for (int i = 0; i < asking.size(); i++) {
            given.add(given(asking.get(i).host().id(), (List<?>) answers.get(i)));
        }
        return given;
    }

    private static Given given(HostId host, List<?> answer) {
        List<Assignment> runs = new ArrayList<>(answer.size() - 2);
        for (Object data : answer.subList(2, answer.size())) {
            runs.add(RunData.read(host, (String) data));
        }
        return new Given(
                runs,
                ((Long) answer.get(1)).intValue(),
                switch ((String) answer.getFirst()) {
                    case "cap" -> Refusal.AT_CAP;
                    case "rate" -> Refusal.RATE_LIMITED;
                    default -> Refusal.NONE;
                });
    }

    /** Whether a host could begin more than what waits for it. */
    Room room(Principal.Host host, HostLimits limits, Instant now) {
        long minute = now.getEpochSecond() / 60;
        String started = redis.sync().get("host:%s:jobs_minute:%d".formatted(host.id(), minute));
        HostUsage usage =
                new HostUsage(
                        redis.sync().scard("host:%s:running".formatted(host.id())).intValue(),
                        minute,
                        started == null ? 0 : Integer.parseInt(started));
        HostLimits.Allowance allowance = limits.allowance(usage, minute);
        if (redis.sync().zcard("jobs:%s:%s".formatted(host.org(), host.id())) < allowance.runs()) {
            return Room.FREE;
        }
        return allowance.rateLimited() ? Room.RATE_LIMITED : Room.AT_CAP;
    }

    /**
     * Forgets runs that were taken. Does not wait: whatever is claimed after this call finds their
     * slots free.
     */
    CompletionStage<Object> release(Collection<FinishedRun> runs) {
        List<String> arguments = new ArrayList<>(runs.size() * 3);
        for (FinishedRun run : runs) {
            arguments.add(run.org().value());
            arguments.add(run.host().value());
            arguments.add(run.id().value());
        }
        return release.send(arguments);
    }

    /** Takes a run that waits out of its queue. */
    void withdraw(Run run) {
        withdraw.run(
                List.of(
                        run.org().value(),
                        run.host().value(),
                        run.job().value(),
                        run.id().value()));
    }

    List<Renewal> renew(HostHoldings holdings, Instant leaseUntil) {
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(leaseUntil.toEpochMilli()));
        holdings.held()
                .forEach(
                        held -> {
                            arguments.add(holdings.host().org().value());
                            arguments.add(holdings.host().id().value());
                            arguments.add(held.run().value());
                        });
        return run(renew, arguments).stream()
                .map(
                        answer ->
                                switch (((Long) answer).intValue()) {
                                    case 1 -> Renewal.RENEWED;
                                    case 2 -> Renewal.CANCEL;
                                    default -> Renewal.GONE;
                                })
                .toList();
    }

    void askToCancel(RunId run) {
        redis.sync().sadd("jobs:cancels", run.value());
    }

    /** Ends leases that ran out and returns their runs. */
    List<RunId> expire(Instant now, int limit) {
        return run(expire, List.of(Long.toString(now.toEpochMilli()), Integer.toString(limit)))
                .stream()
                .map(member -> ((String) member).split("\t", -1))
                .map(parts -> new RunId(parts[2]))
                .toList();
    }

    /** Gives running runs back what a lost Redis had kept for them. */
    void restore(List<Run> running, Instant leaseUntil) {
        if (running.isEmpty()) {
            return;
        }
        List<String> arguments = new ArrayList<>();
        arguments.add(Long.toString(leaseUntil.toEpochMilli()));
        for (Run run : running) {
            arguments.add(run.org().value());
            arguments.add(run.host().value());
            arguments.add(run.id().value());
            arguments.add(flag(run.cancelAsked()));
            arguments.add(flag(run.isSteering()));
        }
        restore.run(arguments);
    }

    private List<?> run(Script script, List<String> arguments) {
        try {
            return (List<?>) script.run(arguments);
        } catch (RedisCommandExecutionException e) {
            if (String.valueOf(e.getMessage()).startsWith("SKEPEMPTY")) {
                throw new Empty();
            }
            throw e;
        }
    }
}
