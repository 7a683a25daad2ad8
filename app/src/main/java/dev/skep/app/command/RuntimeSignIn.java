package dev.skep.app.command;

import dev.skep.cli.command.RuntimesCommand;
import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.runner.RunnerConfig;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.agent.AgentFolder;
import dev.skep.runner.agent.AgentSource;
import dev.skep.runner.runtime.RuntimeDefinition;
import dev.skep.runner.runtime.RuntimeLaunchSpec;
import dev.skep.runner.runtime.RuntimeLauncher;
import dev.skep.runner.runtime.RuntimeStartException;
import dev.skep.runner.runtime.RuntimeTable;
import dev.skep.shell.BashShells;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** Signs an agent in to its runtime, as the agent's user and in its home. */
final class RuntimeSignIn implements RuntimesCommand.SignIn {
    @Override
    public int run(Configuration configuration, String runtime, String agent) {
        RunnerConfig config =
                new RunnerConfig(
                        configuration.dataDir(),
                        configuration.agents().environment(),
                        null,
                        configuration.agents().waitForHubs());
        AgentFile file =
                new AgentFolder(config.agentsFolder())
                        .read().agents().stream()
                                .filter(each -> each.username().equals(agent))
                                .findFirst()
                                .map(AgentSource::content)
                                .orElseThrow(
                                        () ->
                                                refused(
                                                        "there is no agent '%s' on this host; 'skep agents list' shows them"
                                                                .formatted(agent)));
        RuntimeTable table = RuntimeTable.read(config.dataDir());
        RuntimeDefinition definition =
                table.find(runtime).orElseThrow(() -> refused(table.unknown(runtime)));
        if (!file.runtime().equals(runtime) || file.auth() != AgentFile.Auth.LOGIN) {
            throw refused(
                    "agents/%s does not say runtime: %s and auth: login; add that first"
                            .formatted(agent, runtime));
        }
        var random = new SecureRandom();
        var launcher =
                new RuntimeLauncher(
                        BashShells.isolated(config.environment(), random).programs(),
                        config.searchPath(),
                        config.dataDir(),
                        random);
        Path own = config.workFolder(agent);
        try {
            return launcher.login(
                    new RuntimeLaunchSpec(
                            definition, agent, own, own, Map.of(), null, null, true, List.of()),
                    config.environment().getOrDefault("TERM", "xterm"));
        } catch (RuntimeStartException e) {
            throw refused(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw refused("the sign-in was interrupted; run it again");
        }
    }

    private static SkepException refused(String why) {
        return new SkepException(ErrorCode.CONFLICT, why);
    }
}
