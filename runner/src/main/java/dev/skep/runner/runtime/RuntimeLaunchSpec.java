package dev.skep.runner.runtime;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One start of a runtime for one agent.
 *
 * @param own the folder of the agent, by whose owner its user is known
 * @param folder where the program starts
 * @param environment of the agent's file, with values filled in
 * @param gateway null with {@code auth: login}
 * @param model null if the runtime chooses its own
 * @param asking whether it is to ask before it changes anything
 * @param kept further folders that it needs although they may lie in the data dir
 */
public record RuntimeLaunchSpec(
        RuntimeDefinition definition,
        String agent,
        Path own,
        Path folder,
        Map<String, String> environment,
        @Nullable GatewayAccess gateway,
        @Nullable RuntimeModel model,
        boolean asking,
        List<Path> kept) {
    public RuntimeLaunchSpec {
        environment = Map.copyOf(environment);
        kept = List.copyOf(kept);
    }

    /** Without the variables, which may be secrets. */
    @Override
    public String toString() {
        return "RuntimeLaunch[%s of %s]".formatted(definition.name(), agent);
    }
}
