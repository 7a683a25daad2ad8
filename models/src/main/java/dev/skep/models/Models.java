package dev.skep.models;

import dev.skep.models.yaml.YamlProblem;
import java.nio.file.Path;
import java.util.List;

/** The models agents may name: the shipped table, extended by the user's {@code models.yaml}. */
public interface Models extends AutoCloseable {
    /** What the table holds, for {@code skep models} and for error messages. */
    List<ModelCard> cards();

    /** Reads the user's file again; what is wrong with it, in which case what was read stays. */
    default List<YamlProblem> reread() {
        return List.of();
    }

    /**
     * Makes the named model ready; nothing is sent yet.
     *
     * @param folder where the agent's file is; a script's path is relative to it
     */
    Opening open(String name, Path folder);

    @Override
    void close();

    /** Whether a named model can be asked. */
    sealed interface Opening {
        record Ready(Model model) implements Opening {}

        /**
         * It cannot.
         *
         * @param message one line that names the model and the fix
         */
        record Refused(String message) implements Opening {}
    }
}
