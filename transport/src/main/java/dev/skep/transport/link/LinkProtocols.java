package dev.skep.transport.link;

import dev.skep.wire.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The kinds of traffic of one end, and which of them takes a frame. Thread-safe. */
public final class LinkProtocols<P> {
    static final int NOBODY = -1;

    private final List<LinkProtocol<P>> all;
    private final Map<String, Integer> byType = new HashMap<>();
    private final Map<Byte, Integer> byTag = new HashMap<>();

    public LinkProtocols(List<LinkProtocol<P>> all) {
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            int index = i;
            all.get(i).types().forEach(type -> claim(byType, type, index));
            all.get(i).tags().forEach(tag -> claim(byTag, tag, index));
        }
    }

    private static <K> void claim(Map<K, Integer> claims, K key, int index) {
        if (claims.put(key, index) != null) {
            throw new IllegalArgumentException(key + " is taken by two kinds of traffic");
        }
    }

    List<LinkProtocolHandler> open(P peer, Link link) {
        List<LinkProtocolHandler> linkProtocolHandlers = new ArrayList<>(all.size());
        all.forEach(linkProtocol -> linkProtocolHandlers.add(linkProtocol.open(peer, link)));
        return linkProtocolHandlers;
    }

    int protocolFor(Frame frame) {
        return frame.binary()
                ? byTag.getOrDefault(frame.tag(), NOBODY)
                : byType.getOrDefault(frame.type(), NOBODY);
    }
}
