package dev.skep.runner.runtime;

import dev.skep.models.yaml.Description;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The form of {@code runtimes.yaml}. */
record RuntimesFile(@Description("the runtimes") List<RuntimeDefinition> runtimes) {
    RuntimesFile {
        Set<String> names = new HashSet<>();
        for (RuntimeDefinition each : runtimes) {
            if (!names.add(each.name())) {
                throw new IllegalArgumentException(
                        "runtimes: '%s' is there twice; keep one".formatted(each.name()));
            }
        }
    }
}
