package dev.skep.fleet.nemesis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * All faults of a run, made of its seed, its length and the names of processes and links alone.
 * Each process has two lanes, one for itself and its disk and one for its clock, and each link has
 * one: within a lane faults follow each other, lanes overlap.
 */
final class FaultSchedule {
    /** A lane: its target, how long it rests between faults, and what may come. */
    private record Track(
            String target,
            Duration restAtLeast,
            Duration restAtMost,
            Function<RandomGenerator, PlannedFault> next) {}

    /** How often each comes, of ten. */
    private static final int OFTEN = 10;

    private FaultSchedule() {}

    static List<List<PlannedFault>> lanes(
            long seed, Duration length, List<String> processes, List<String> links) {
        List<Track> tracks = new ArrayList<>();
        for (String process : processes) {
            tracks.add(new Track(process, seconds(6), seconds(22), r -> toProcess(process, r)));
            tracks.add(new Track(process, seconds(12), seconds(40), r -> toClock(process, r)));
        }
        for (String link : links) {
            tracks.add(new Track(link, seconds(2), seconds(12), r -> toLink(link, r)));
        }
        SplittableRandom root = new SplittableRandom(seed);
        return tracks.stream().map(track -> lane(track, root.split(), length)).toList();
    }

    /** The same in the order they begin. */
    static List<PlannedFault> inOrder(List<List<PlannedFault>> lanes) {
        return lanes.stream()
                .flatMap(List::stream)
                .sorted(
                        Comparator.comparing(PlannedFault::at)
                                .thenComparing(PlannedFault::target)
                                .thenComparing(fault -> fault.harm().kind()))
                .toList();
    }

    private static List<PlannedFault> lane(Track track, RandomGenerator random, Duration length) {
        List<PlannedFault> lane = new ArrayList<>();
        Duration at = between(random, Duration.ZERO, track.restAtMost());
        while (true) {
            PlannedFault next = track.next().apply(random);
            if (at.plus(next.lasts()).compareTo(length) > 0) {
                return lane;
            }
            lane.add(new PlannedFault(at, next.lasts(), next.target(), next.harm()));
            at = at.plus(next.lasts());
            at = at.plus(between(random, track.restAtLeast(), track.restAtMost()));
        }
    }

    private static PlannedFault toProcess(String process, RandomGenerator random) {
        return switch (random.nextInt(OFTEN)) {
            case 0, 1, 2, 3 -> fault(process, random, 0.1, 5, new FaultEffect.Killed());
            case 4, 5 -> fault(process, random, 1, 20, new FaultEffect.Frozen());
            case 6, 7 -> fault(process, random, 2, 10, new FaultEffect.DiskFull());
            case 8 -> fault(process, random, 3, 8, new FaultEffect.StartedOnFullDisk());
            default -> fault(process, random, 3, 8, new FaultEffect.StartedOnReadOnlyDisk());
        };
    }

    private static PlannedFault toClock(String process, RandomGenerator random) {
        boolean back = random.nextBoolean();
        Duration by =
                random.nextBoolean()
                        ? between(random, Duration.ofHours(1), Duration.ofDays(4))
                        : between(random, Duration.ofDays(400), Duration.ofDays(3_000));
        return fault(process, random, 2, 20, new FaultEffect.ClockOff(back ? by.negated() : by));
    }

    private static PlannedFault toLink(String link, RandomGenerator random) {
        return switch (random.nextInt(OFTEN)) {
            case 0, 1 ->
                    fault(
                            link,
                            random,
                            2,
                            15,
                            new FaultEffect.Delayed(
                                    between(
                                            random,
                                            Duration.ofMillis(20),
                                            Duration.ofMillis(1_500))));
            case 2, 3 ->
                    fault(
                            link,
                            random,
                            2,
                            20,
                            new FaultEffect.Throttled(random.nextInt(1_000, 16_000)));
            case 4, 5 -> fault(link, random, 1, 20, new FaultEffect.Stalled(random.nextBoolean()));
            case 6, 7 -> fault(link, random, 2, 30, new FaultEffect.Dropped());
            default -> fault(link, random, 0, 6, new FaultEffect.Severed());
        };
    }

    private static PlannedFault fault(
            String target,
            RandomGenerator random,
            double least,
            double most,
            FaultEffect faultEffect) {
        Duration lasts =
                between(
                        random,
                        Duration.ofMillis((long) (least * 1_000)),
                        Duration.ofMillis((long) (most * 1_000)));
        return new PlannedFault(Duration.ZERO, lasts, target, faultEffect);
    }

    private static Duration between(RandomGenerator random, Duration least, Duration most) {
        return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis() + 1));
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
