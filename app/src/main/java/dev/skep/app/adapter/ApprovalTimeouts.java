package dev.skep.app.adapter;

import dev.skep.agents.Agent;
import dev.skep.models.yaml.BindingResult;
import dev.skep.models.yaml.YamlBinder;
import dev.skep.runner.agent.AgentBundle;
import dev.skep.runner.agent.AgentFile;
import java.time.Duration;
import java.util.Optional;

/** How long commands of an agent on another host wait for a person, by the file it sent. */
public final class ApprovalTimeouts {
    private ApprovalTimeouts() {}

    public static Optional<Duration> of(Agent agent) {
        String config = agent.config();
        return config != null
                        && YamlBinder.parse(
                                        agent.username(),
                                        AgentBundle.parse(config).agent(),
                                        AgentFile.class)
                                instanceof BindingResult.Value<AgentFile>(var content)
                ? Optional.ofNullable(content.approvalTimeout())
                : Optional.empty();
    }
}
