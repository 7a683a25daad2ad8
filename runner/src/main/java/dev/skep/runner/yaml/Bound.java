package dev.skep.runner.yaml;

import java.util.List;

/** A file as a value, or everything that is wrong with it. */
public sealed interface Bound<T> {
    record Value<T>(T value) implements Bound<T> {}

    /** At least one problem, in the order of the file. */
    record Problems<T>(List<YamlProblem> problems) implements Bound<T> {
        public Problems {
            problems = List.copyOf(problems);
        }
    }
}
