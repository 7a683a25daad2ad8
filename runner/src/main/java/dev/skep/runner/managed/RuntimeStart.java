package dev.skep.runner.managed;

import dev.skep.models.gateway.GatewayAccount;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.runtime.GatewayAccess;
import dev.skep.runner.runtime.RuntimeLaunch;
import dev.skep.runner.runtime.RuntimeProcess;
import dev.skep.runner.runtime.RuntimeStartException;
import dev.skep.runner.tools.ToolCaller;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts the program of one agent's runtime, with a token of its own for each start. */
final class RuntimeStart {
    private final ManagedParts parts;
    private final ManagedSetup setup;
    private final TurnEffects effects;

    RuntimeStart(ManagedParts parts, ManagedSetup setup, TurnEffects effects) {
        this.parts = parts;
        this.setup = setup;
        this.effects = effects;
    }

    /** A program that runs, and the door that is open for it. */
    record Started(RuntimeProcess process, Path folder, AgentDoors.Door door, AgentDoors doors) {
        /** The last of what it wrote for its log. */
        String lastWords() {
            String said = process.lastErrors().strip();
            int line = said.lastIndexOf('\n');
            return LongText.cut(said.substring(line + 1), 500);
        }

        void end() {
            doors.shut(door);
            process.close();
        }
    }

    Started process() throws RuntimeFailedException, InterruptedException {
        Optional<String> refusal = setup.workFolder().refusal();
        if (refusal.isPresent()) {
            throw new RuntimeFailedException(refusal.get(), true);
        }
        AgentDoors.Door door =
                parts.doors()
                        .open(account(), new ToolCaller(setup.principal(), setup.agent(), effects));
        try {
            return new Started(
                    parts.launcher().start(launch(door)), setup.folder(), door, parts.doors());
        } catch (RuntimeStartException e) {
            parts.doors().shut(door);
            throw new RuntimeFailedException(String.valueOf(e.getMessage()), true);
        } catch (RuntimeException e) {
            parts.doors().shut(door);
            throw e;
        }
    }

    private RuntimeLaunch launch(AgentDoors.Door door) {
        RuntimeLaunch launch = setup.launch();
        return isMetered()
                ? new RuntimeLaunch(
                        launch.definition(),
                        launch.agent(),
                        launch.own(),
                        launch.folder(),
                        launch.environment(),
                        new GatewayAccess(door.address(), door.token()),
                        launch.model(),
                        launch.asking(),
                        launch.kept())
                : launch;
    }

    private boolean isMetered() {
        return setup.source().content().auth() == AgentFile.Auth.GATEWAY;
    }

    /** With its own sign-in a runtime does not use our gateway. */
    private @Nullable GatewayAccount account() {
        AgentFile file = setup.source().content();
        return isMetered()
                ? new GatewayAccount(
                        setup.agent().id(),
                        setup.principal(),
                        setup.agent().username(),
                        file.model(),
                        setup.runtime().refusals(),
                        effects)
                : null;
    }
}
