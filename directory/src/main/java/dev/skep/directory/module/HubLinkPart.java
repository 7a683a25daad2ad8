package dev.skep.directory.module;

import dev.skep.transport.link.LinkProtocol;
import java.util.List;

/**
 * What a feature does with one hub that this host is joined to.
 *
 * @param protocols what the links to the hub carry for it
 * @param end what ends when this host leaves the hub
 */
public record HubLinkPart(List<LinkProtocol<String>> protocols, Runnable end) {
    public static final HubLinkPart NONE = new HubLinkPart(List.of(), () -> {});

    public HubLinkPart {
        protocols = List.copyOf(protocols);
    }
}
