package dev.skep.cli.config;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.ArrayList;
import java.util.List;

/** Collects everything that is wrong with a configuration, so that a user can fix it at once. */
final class ConfigProblems {
    private final List<String> lines = new ArrayList<>();

    void add(String line) {
        lines.add(line);
    }

    void throwIfAny() {
        if (!lines.isEmpty()) {
            throw new SkepException(ErrorCode.BAD_CONFIGURATION, String.join("\n", lines));
        }
    }
}
