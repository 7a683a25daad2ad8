package dev.skep.registry.proxy;

import dev.skep.kernel.id.HostId;
import dev.skep.registry.service.Registry;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.MessageReceiver;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reaches a node through the link of the host it registered at. That host's registry answers as if
 * the dashboard had come to it, error texts and all, so opening waits for nothing.
 */
public final class LinkNodeConnector implements NodeConnector {
    private final SessionOpener links;
    private final Function<HostId, Optional<String>> elsewhere;

    /**
     * A route by the links of this process.
     *
     * @param elsewhere where another process of this hub is reached that holds a host's link
     */
    public LinkNodeConnector(SessionOpener links, Function<HostId, Optional<String>> elsewhere) {
        this.links = links;
        this.elsewhere = elsewhere;
    }

    @Override
    public Opening open(Registry.RegisteredNode registeredNode, MessageReceiver receiver)
            throws InterruptedException {
        var opening =
                links.open(
                        registeredNode.org(),
                        registeredNode.node().host(),
                        registeredNode.node().id(),
                        receiver);
        return switch (opening) {
            case SessionOpener.Opening.Opened(var messageSender) ->
                    new Opening.Opened(messageSender);
            case SessionOpener.Opening.NotLinked() ->
                    new Opening.Failed(notLinked(registeredNode.node().host()));
            case SessionOpener.Opening.TooMany() ->
                    new Opening.Failed("Cannot reach agent: too many sessions to its host");
        };
    }

    private String notLinked(HostId host) {
        return elsewhere
                .apply(host)
                .map(
                        url ->
                                "Cannot reach agent: its host is linked to this hub's process at "
                                        + url)
                .orElse("Agent is offline");
    }
}
