package dev.skep.fleet.nemesis;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

/** What a fault does while it lasts. */
sealed interface FaultEffect {
    /** All kinds there are. */
    Set<String> KINDS =
            new TreeSet<>(
                    Set.of(
                            "delay",
                            "throttle",
                            "stall",
                            "drop",
                            "cut",
                            "kill",
                            "freeze",
                            "clock-hours",
                            "clock-years",
                            "disk-full",
                            "start-on-full-disk",
                            "start-on-read-only-disk"));

    /** The name of its kind, for flags and counts. */
    String kind();

    /** To a link between a runner and a hub. */
    sealed interface ToLink extends FaultEffect {}

    /** To a hub or a runner. */
    sealed interface ToProcess extends FaultEffect {}

    record Delayed(Duration by) implements ToLink {
        @Override
        public String kind() {
            return "delay";
        }
    }

    record Throttled(int bytesPerSecond) implements ToLink {
        @Override
        public String kind() {
            return "throttle";
        }
    }

    /** Nothing passes one way; it waits, and the other way works. */
    record Stalled(boolean towardsHub) implements ToLink {
        @Override
        public String kind() {
            return "stall";
        }
    }

    /** Everything is lost without a word, and what is open now stays dead for ever. */
    record Dropped() implements ToLink {
        @Override
        public String kind() {
            return "drop";
        }
    }

    record Severed() implements ToLink {
        @Override
        public String kind() {
            return "cut";
        }
    }

    record Killed() implements ToProcess {
        @Override
        public String kind() {
            return "kill";
        }
    }

    record Frozen() implements ToProcess {
        @Override
        public String kind() {
            return "freeze";
        }
    }

    record ClockOff(Duration by) implements ToProcess {
        private static final Duration FAR = Duration.ofDays(60);

        @Override
        public String kind() {
            return by.abs().compareTo(FAR) < 0 ? "clock-hours" : "clock-years";
        }
    }

    record DiskFull() implements ToProcess {
        @Override
        public String kind() {
            return "disk-full";
        }
    }

    /** Killed, and started while there is no room. */
    record StartedOnFullDisk() implements ToProcess {
        @Override
        public String kind() {
            return "start-on-full-disk";
        }
    }

    /** Killed, and started while nothing can be written. */
    record StartedOnReadOnlyDisk() implements ToProcess {
        @Override
        public String kind() {
            return "start-on-read-only-disk";
        }
    }
}
