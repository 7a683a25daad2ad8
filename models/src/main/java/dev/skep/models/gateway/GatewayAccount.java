package dev.skep.models.gateway;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.identity.Principal;
import org.jspecify.annotations.Nullable;

/**
 * An agent whose program asks models through the gateway.
 *
 * @param model the name in the models table that the agent was told to use; null if it chooses
 * @param refusals how its program is told that a call is refused
 */
public record GatewayAccount(
        AgentId agent,
        Principal who,
        String username,
        @Nullable String model,
        RefusalStyle refusals,
        GatewayListener listener) {}
