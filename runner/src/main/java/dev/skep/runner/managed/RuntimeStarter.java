package dev.skep.runner.managed;

import dev.skep.models.gateway.GatewayAccount;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.runtime.GatewayAccess;
import dev.skep.runner.runtime.RuntimeLaunchSpec;
import dev.skep.runner.runtime.RuntimeProcess;
import dev.skep.runner.runtime.RuntimeStartException;
import dev.skep.runner.tools.ToolCaller;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Starts the program of one agent's runtime, with a token of its own for each start. */
final class RuntimeStarter {
    private final ManagedAgentDependencies parts;
    private final ManagedSetup setup;
    private final TurnEffects effects;

    RuntimeStarter(ManagedAgentDependencies parts, ManagedSetup setup, TurnEffects effects) {
        this.parts = parts;
        this.setup = setup;
        this.effects = effects;
    }

    /** A program that runs, and what it may reach. */
    record Started(
            RuntimeProcess process,
            Path folder,
            RuntimeAccessServer.Grant grant,
            RuntimeAccessServer access) {
        /** The last of what it wrote for its log. */
        String lastWords() {
            String said = process.lastErrors().strip();
            int line = said.lastIndexOf('\n');
            return TextTruncator.cut(said.substring(line + 1), 500);
        }

        void end() {
            access.revoke(grant);
            process.close();
        }
    }

    Started process() throws RuntimeFailedException, InterruptedException {
        Optional<String> refusal = setup.workFolder().refusal();
        if (refusal.isPresent()) {
            throw new RuntimeFailedException(refusal.get(), true);
        }
        RuntimeAccessServer.Grant grant =
                parts.access()
                        .open(account(), new ToolCaller(setup.principal(), setup.agent(), effects));
        try {
            return new Started(
                    parts.launcher().start(launch(grant)), setup.folder(), grant, parts.access());
        } catch (RuntimeStartException e) {
            parts.access().revoke(grant);
            throw new RuntimeFailedException(String.valueOf(e.getMessage()), true);
        } catch (RuntimeException e) {
            parts.access().revoke(grant);
            throw e;
        }
    }

    private RuntimeLaunchSpec launch(RuntimeAccessServer.Grant grant) {
        RuntimeLaunchSpec launch = setup.launch();
        return isMetered()
                ? new RuntimeLaunchSpec(
                        launch.definition(),
                        launch.agent(),
                        launch.own(),
                        launch.folder(),
                        launch.environment(),
                        new GatewayAccess(grant.address(), grant.token()),
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
