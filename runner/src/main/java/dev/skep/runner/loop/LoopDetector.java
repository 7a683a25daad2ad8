package dev.skep.runner.loop;

import java.util.ArrayList;
import java.util.List;

/**
 * Notices an agent that repeats itself: the same commands with the same outputs, turn after turn,
 * also when two or three such turns alternate. Not thread-safe.
 */
final class LoopDetector {
    /** What to do about it. */
    enum Finding {
        NONE,
        WARN,
        HOLD
    }

    private static final int LONGEST_CIRCLE = 3;
    private static final int WARN_AFTER = 3;
    private static final int HOLD_AFTER = 6;

    private final List<String> turns = new ArrayList<>();

    /** Takes one turn's commands and outputs. */
    Finding check(String turn) {
        turns.add(turn);
        if (turns.size() > LONGEST_CIRCLE * HOLD_AFTER) {
            turns.removeFirst();
        }
        int repeats = 1;
        for (int length = 1; length <= LONGEST_CIRCLE; length++) {
            repeats = Math.max(repeats, repeats(length));
        }
        if (repeats >= HOLD_AFTER) {
            turns.clear();
            return Finding.HOLD;
        }
        return repeats == WARN_AFTER ? Finding.WARN : Finding.NONE;
    }

    /** How often the last {@code length} turns came in a row. */
    private int repeats(int length) {
        int same = 0;
        for (int i = turns.size() - 1; i - length >= 0; i--) {
            if (!turns.get(i).equals(turns.get(i - length))) {
                break;
            }
            same++;
        }
        return 1 + same / length;
    }
}
