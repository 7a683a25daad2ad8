package dev.skep.transport.link;

import dev.skep.wire.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The kinds of traffic of one end, and which of them takes a frame. Thread-safe. */
public final class Traffics<P> {
    static final int NOBODY = -1;

    private final List<LinkTraffic<P>> all;
    private final Map<String, Integer> byType = new HashMap<>();
    private final Map<Byte, Integer> byTag = new HashMap<>();

    public Traffics(List<LinkTraffic<P>> all) {
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

    List<LinkChannel> open(P peer, Link link) {
        List<LinkChannel> channels = new ArrayList<>(all.size());
        all.forEach(traffic -> channels.add(traffic.open(peer, link)));
        return channels;
    }

    int takerOf(Frame frame) {
        return frame.binary()
                ? byTag.getOrDefault(frame.tag(), NOBODY)
                : byType.getOrDefault(frame.type(), NOBODY);
    }
}
