package dev.skep.models;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One entry of the conversation a model sees. */
public sealed interface ModelMessage {

    /**
     * A message from the runner, an operator or the start of the shell to the agent.
     *
     * @param images what the agent asked to see since
     */
    record Said(String text, List<ImageFile> images) implements ModelMessage {
        public Said {
            images = List.copyOf(images);
        }

        public Said(String text) {
            this(text, List.of());
        }
    }

    /**
     * What the model answered before.
     *
     * @param thinking what a provider wants back with the reply that grew from it
     */
    record Replied(String text, List<CommandCall> commands, @Nullable Thinking thinking)
            implements ModelMessage {
        public Replied {
            commands = List.copyOf(commands);
        }
    }

    /** What one command of the reply before printed. Every call gets exactly one, in order. */
    record Output(String callId, String text) implements ModelMessage {}
}
