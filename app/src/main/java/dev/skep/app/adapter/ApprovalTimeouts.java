package dev.skep.app.adapter;

import dev.skep.agents.Agent;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.runner.agent.AgentBundle;
import dev.skep.runner.agent.AgentFile;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How long commands of an agent on another host wait for a person: by the file it sent, or, if that
 * does not say, by this process's own setting, which its hosts are to have too.
 */
public final class ApprovalTimeouts {
    private final Duration usual;

    public ApprovalTimeouts(Duration usual) {
        this.usual = usual;
    }

    public Optional<Duration> of(Agent agent) {
        String config = agent.config();
        return config != null
                        && YamlBinder.parse(
                                        agent.username(),
                                        AgentBundle.parse(config).agent(),
                                        AgentFile.class)
                                instanceof BindingResult.Value<AgentFile>(var content)
                ? Optional.of(Objects.requireNonNullElse(content.approvalTimeout(), usual))
                : Optional.empty();
    }
}
