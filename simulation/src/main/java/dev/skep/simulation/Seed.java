package dev.skep.simulation;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One run: trouble, then calm, then everything must be where it belongs. */
final class Seed {
    private static final long FIRST_LOOK = 7_000;
    private static final long LOOK_EVERY = 3_000;
    private static final long LAST_LOOK = 40_000;

    private Seed() {}

    /**
     * What became of a seed: nothing wrong, or what.
     *
     * @param outcome every row of every machine at the end, in few words
     */
    record Verdict(long seed, @Nullable String broken, Coverage coverage, long outcome) {}

    static Verdict run(
            long seed,
            @Nullable Rule without,
            MachineStores stores,
            boolean encoded,
            @Nullable Trace trace) {
        World world = new World(seed, without, trace);
        try (Scenario scenario = new Scenario(world, stores, encoded)) {
            scenario.plan();
            String broken = broken(scenario);
            scenario.countTraces();
            return new Verdict(seed, broken, world.coverage, scenario.outcome());
        } catch (Violation violation) {
            world.say(() -> "!! " + violation.getMessage());
            return new Verdict(seed, violation.getMessage(), world.coverage, 0);
        }
    }

    /** Twice, if something may only wait until operators act: then they do. */
    private static @Nullable String broken(Scenario scenario) {
        Invariants looked = new Invariants(scenario);
        Optional<String> broken = Optional.of("never looked");
        for (int times = 0; times < 2; times++) {
            long calm = scenario.world.now();
            List<Long> before = List.of();
            boolean sound = false;
            for (long look = FIRST_LOOK; look <= LAST_LOOK && !sound; look += LOOK_EVERY) {
                scenario.world.runUntil(calm + look);
                looked = new Invariants(scenario);
                broken = looked.broken();
                List<Long> positions = scenario.positions();
                // Sound, and no machine is still busy undoing it.
                sound = broken.isEmpty() && (positions.equals(before) || looked.hasStaleNames());
                before = positions;
            }
            if (!sound && broken.isEmpty()) {
                broken = Optional.of("it never comes to rest");
            }
            if (broken.isPresent() || looked.lost().agents().isEmpty()) {
                break;
            }
            if (times == 0) {
                scenario.grantAgain(looked.lost().agents());
            }
        }
        broken.ifPresent(what -> scenario.world.say(() -> "!! " + what));
        return broken.orElse(null);
    }
}
