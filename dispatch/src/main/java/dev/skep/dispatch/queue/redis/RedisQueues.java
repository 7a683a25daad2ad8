package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.HostUsage;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.SteeringJobTypes;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.HostCapacity;
import dev.skep.dispatch.queue.ledger.WaitingRuns;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.route.Json;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;

/** The queues as Redis keeps them: typed calls of the scripts. Thread-safe. */
final class RedisQueues {
    private final StatefulRedisConnection<String, String> redis;
    private final LuaScript enqueue;
    private final LuaScript turn;
    private final LuaScript release;
    private final LuaScript withdraw;
    private final LuaScript restore;
    private final LuaScript slots;

    /** Groups whose entries are no longer needed; the next turn takes them along. */
    private final Queue<String> recorded = new ConcurrentLinkedQueue<>();

    private final ReentrantLock taking = new ReentrantLock();

    RedisQueues(StatefulRedisConnection<String, String> redis) {
        this.redis = redis;
        this.enqueue = LuaScript.load(redis, "enqueue", ScriptOutputType.INTEGER);
        this.turn = LuaScript.load(redis, "turn", ScriptOutputType.VALUE);
        this.release = LuaScript.load(redis, "release", ScriptOutputType.INTEGER);
        this.withdraw = LuaScript.load(redis, "withdraw", ScriptOutputType.INTEGER);
        this.restore = LuaScript.load(redis, "restore", ScriptOutputType.INTEGER);
        this.slots = LuaScript.load(redis, "slots", ScriptOutputType.OBJECT);
    }

    /** This Redis has lost everything and must be filled from the ledger first. */
    static final class EmptyRedisException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    void enqueue(List<WaitingRuns.Waiting> entries) {
        if (entries.isEmpty()) {
            return;
        }
        List<String> arguments = new ArrayList<>(entries.size() * 5);
        for (WaitingRuns.Waiting entry : entries) {
            Assignment run = entry.assignment();
            arguments.add(entry.org().value());
            arguments.add(run.host().value());
            arguments.add(run.run().value());
            arguments.add(Integer.toString(entry.priority()));
            arguments.add(RunData.of(run));
        }
        enqueue.run(arguments);
    }

    /** Lets claims begin: all that the ledger knows is here. */
    void markFilled() {
        redis.sync().set("jobs:generation", "1");
    }

    /**
     * The finished runs of one host, and how much it asks for within its limits.
     *
     * @param anything how many runs of any kind
     * @param steering how many more of those that steer
     */
    record HostDemand(
            Principal.Host host, HostLimits limits, int anything, int steering, List<RunId> over) {}

    /**
     * What one host gets; where that is nothing, why.
     *
     * @param steering how many of the runs steer; they come first
     */
    record HostAssignments(List<Assignment> runs, int steering, Refusal refusal) {}

    /** Why a host was given less than it asked for. */
    enum Refusal {
        NONE,
        AT_CAP,
        RATE_LIMITED
    }

    /**
     * Takes runs for a group of hosts.
     *
     * @param group its name, for {@link #recorded}
     * @param until when others may look after it if that was not called
     */
    List<HostAssignments> turn(
            String group, Instant until, List<HostDemand> hostDemand, Instant now) {
        List<String> done = new ArrayList<>();
        for (String name = recorded.poll(); name != null; name = recorded.poll()) {
            done.add(name);
        }
        List<Object> asked = new ArrayList<>(5 + hostDemand.size());
        asked.add(group);
        asked.add(Long.toString(until.toEpochMilli()));
        asked.add(Long.toString(now.getEpochSecond() / 60));
        asked.add(-SteeringJobTypes.FLOOR);
        asked.add(done);
        for (HostDemand each : hostDemand) {
            Integer perMinute = each.limits().perMinute();
            asked.add(
                    new Object[] {
                        each.host().org().value(),
                        each.host().id().value(),
                        each.limits().concurrent(),
                        perMinute == null ? -1 : perMinute,
                        each.anything(),
                        each.steering(),
                        each.over().stream().map(RunId::value).toList()
                    });
        }
        Iterator<String> lines = List.of(alone(Json.text(asked)).split("\n", -1)).iterator();
        return hostDemand.stream().map(each -> given(each.host().id(), lines)).toList();
    }

    /**
     * Redis answers scripts that came together only when the last of them is done. Sent one after
     * the other, the first group is recorded while the second is looked for; otherwise both wait
     * for Redis, then both for the ledger, and go on in step for ever.
     */
    private String alone(String asked) {
        taking.lock();
        try {
            return (String) run(turn, List.of(asked));
        } finally {
            taking.unlock();
        }
    }

    private static HostAssignments given(HostId host, Iterator<String> lines) {
        String[] head = lines.next().split(" ", -1);
        int count = Integer.parseInt(head[1]);
        List<Assignment> runs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            runs.add(RunData.read(host, lines.next()));
        }
        return new HostAssignments(
                runs,
                Integer.parseInt(head[2]),
                switch (head[0]) {
                    case "cap" -> Refusal.AT_CAP;
                    case "rate" -> Refusal.RATE_LIMITED;
                    default -> Refusal.NONE;
                });
    }

    /** Whether a host could begin more than what waits for it. */
    HostCapacity room(Principal.Host host, HostLimits limits, Instant now) {
        long minute = now.getEpochSecond() / 60;
        String started = redis.sync().get("host:%s:jobs_minute:%d".formatted(host.id(), minute));
        HostUsage usage =
                new HostUsage(
                        redis.sync().scard("host:%s:running".formatted(host.id())).intValue(),
                        minute,
                        started == null ? 0 : Integer.parseInt(started));
        HostLimits.Allowance allowance = limits.allowance(usage, minute);
        if (redis.sync().zcard("jobs:%s:%s".formatted(host.org(), host.id())) < allowance.runs()) {
            return HostCapacity.FREE;
        }
        return allowance.rateLimited() ? HostCapacity.RATE_LIMITED : HostCapacity.AT_CAP;
    }

    /** The ledger knows what this group took. */
    void recorded(String group) {
        recorded.add(group);
    }

    /** What was taken by groups that should have been recorded by now, by the groups' names. */
    Map<String, List<RunId>> unrecorded(Instant now) {
        Map<String, List<RunId>> groups = new HashMap<>();
        redis.sync()
                .hgetall("jobs:taken")
                .forEach(
                        (group, entry) -> {
                            List<String> words = List.of(entry.split(" "));
                            if (Long.parseLong(words.getFirst()) < now.toEpochMilli()) {
                                groups.put(group, words.stream().skip(1).map(RunId::new).toList());
                            }
                        });
        return groups;
    }

    /** Frees slots. Does not wait: whatever is claimed after this call finds them free. */
    CompletionStage<Object> release(Collection<RunSlot> slots) {
        return release.send(releasing("", slots));
    }

    /** The same for a group that was not recorded; false if another hub has done that. */
    boolean release(String group, Collection<RunSlot> slots) {
        return ((Long) release.run(releasing(group, slots))) == 1;
    }

    private static List<String> releasing(String group, Collection<RunSlot> slots) {
        List<String> arguments = new ArrayList<>(1 + slots.size() * 2);
        arguments.add(group);
        addAll(arguments, slots);
        return arguments;
    }

    private static void addAll(List<String> arguments, Collection<RunSlot> slots) {
        for (RunSlot slot : slots) {
            arguments.add(slot.host().value());
            arguments.add(slot.run().value());
        }
    }

    /** The slots of these hosts that are taken. */
    List<RunSlot> slots(List<HostId> hosts) {
        List<?> answers = (List<?>) run(slots, hosts.stream().map(HostId::value).toList());
        List<RunSlot> taken = new ArrayList<>();
        for (int i = 0; i < hosts.size(); i++) {
            for (Object run : (List<?>) answers.get(i)) {
                taken.add(new RunSlot(hosts.get(i), new RunId((String) run)));
            }
        }
        return taken;
    }

    /** Gives running runs back what a lost Redis had kept for them. */
    void restore(List<Run> running) {
        List<String> arguments = new ArrayList<>();
        addAll(arguments, RunSlot.of(running));
        restore.run(arguments);
    }

    /** Takes a run that waits out of its queue. */
    void withdraw(Run run) {
        withdraw.run(List.of(run.org().value(), run.host().value(), run.id().value()));
    }

    private static Object run(LuaScript script, List<String> arguments) {
        try {
            return script.run(arguments);
        } catch (RedisCommandExecutionException e) {
            if (String.valueOf(e.getMessage()).startsWith("SKEPEMPTY")) {
                throw new EmptyRedisException();
            }
            throw e;
        }
    }
}
