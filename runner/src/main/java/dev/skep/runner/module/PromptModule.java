package dev.skep.runner.module;

import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.AgentService;
import dev.skep.runner.terminal.Terminal;
import dev.skep.runner.terminal.TerminalInput;

/** Reads what a person types at the terminal, once everything else has started. */
public final class PromptModule implements FeatureModule {
    private final Terminal terminal;
    private final AgentService agentService;
    private final Principal who;

    public PromptModule(Terminal terminal, AgentService agentService, Principal who) {
        this.terminal = terminal;
        this.agentService = agentService;
        this.who = who;
    }

    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        terminal.typed()
                .ifPresent(
                        in ->
                                lifecycle.start(
                                        "prompt",
                                        new TerminalInput(
                                                in,
                                                agentService,
                                                who,
                                                terminal.stream(),
                                                lifecycle::close)));
    }
}
