package dev.skep.models.yaml;

import java.util.List;

/** A file as a value, or everything that is wrong with it. */
public sealed interface BindingResult<T> {
    record Value<T>(T value) implements BindingResult<T> {}

    /** At least one problem, in the order of the file. */
    record Problems<T>(List<YamlProblem> problems) implements BindingResult<T> {
        public Problems {
            problems = List.copyOf(problems);
        }
    }
}
