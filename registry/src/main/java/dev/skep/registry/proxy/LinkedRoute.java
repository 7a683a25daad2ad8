package dev.skep.registry.proxy;

import dev.skep.registry.service.Registry;
import dev.skep.transport.session.SessionOpener;
import dev.skep.transport.socket.Receiver;

/**
 * Reaches a node through the link of the host it registered at. That host's registry answers as if
 * the dashboard had come to it, error texts and all, so opening waits for nothing.
 */
public final class LinkedRoute implements NodeRoute {
    private final SessionOpener links;

    public LinkedRoute(SessionOpener links) {
        this.links = links;
    }

    @Override
    public Opening open(Registry.Found found, Receiver receiver) throws InterruptedException {
        var opening = links.open(found.org(), found.node().host(), found.node().id(), receiver);
        return switch (opening) {
            case SessionOpener.Opening.Opened(var channel) -> new Opening.Opened(channel);
            case SessionOpener.Opening.NotLinked() -> new Opening.Failed("Agent is offline");
            case SessionOpener.Opening.TooMany() ->
                    new Opening.Failed("Cannot reach agent: too many sessions to its host");
        };
    }
}
