package dev.skep.runner.acp;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session that an agent has opened, loaded or resumed, and what can be chosen in it.
 *
 * @param mode the id of the mode it is in, if it has modes
 * @param model the id of the model it uses, if it offers models
 */
public record OpenedSession(
        String sessionId,
        @Nullable String mode,
        List<Choice> modes,
        @Nullable String model,
        List<Choice> models,
        List<ConfigOption> options) {
    public OpenedSession {
        modes = List.copyOf(modes);
        models = List.copyOf(models);
        options = List.copyOf(options);
    }

    /** Something that can be chosen. */
    public record Choice(String id, String name) {}

    /**
     * A setting of the session.
     *
     * @param category mode, model, thought_level or a word of the agent's own; empty if untold
     * @param value the id of the current choice, or true or false where there are no choices
     */
    public record ConfigOption(
            String id, String name, String category, String value, List<Choice> choices) {
        public ConfigOption {
            choices = List.copyOf(choices);
        }
    }
}
