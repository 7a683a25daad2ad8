package dev.skep.models.gateway;

import dev.skep.kernel.id.AgentId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/**
 * How many tokens prompts can have at most: a token a byte, or what the provider counted for an
 * earlier one of the same agent and model that this one begins with, byte for byte, and a token for
 * each byte that is new. Kept in memory: after a restart a token a byte counts once. Thread-safe.
 */
final class PromptTokenBounds {
    /** What providers put before a prompt with tools and do not show. */
    private static final int UNSEEN_TOKENS = 1_000;

    private static final int KEPT = 16;

    /** Members that say nothing to the model. */
    private static final Set<String> NO_PROMPT =
            Set.of(
                    "metadata",
                    "client_metadata",
                    "stream",
                    "stream_options",
                    "max_tokens",
                    "max_completion_tokens",
                    "max_output_tokens",
                    "temperature",
                    "prompt_cache_key");

    private record Known(String model, int entries, String digest, long tokens) {}

    /**
     * A prompt with its bound.
     *
     * @param digests of all it says up to each entry of its conversation
     */
    record Measured(String model, List<String> digests, long atMost) {}

    private final Map<AgentId, Deque<Known>> byAgent = new ConcurrentHashMap<>();

    Measured measure(
            AgentId agent, String model, GatewayWire wire, CallBody body, PromptImages images) {
        List<String> digests = digests(wire, body);
        long bytes = body.bytes().length;
        long bound = bound(bytes, images.bytesFrom(0), images.from(0), wire);
        for (Known known : known(agent)) {
            if (known.model().equals(model)
                    && known.entries() < digests.size()
                    && digests.get(known.entries()).equals(known.digest())) {
                long fresh = newBytes(body, known.entries());
                long goesOn =
                        known.tokens()
                                + bound(
                                        fresh,
                                        images.bytesFrom(known.entries()),
                                        images.from(known.entries()),
                                        wire);
                bound = Math.min(bound, goesOn);
            }
        }
        return new Measured(model, digests, bound);
    }

    private static long bound(long bytes, long imageBytes, int images, GatewayWire wire) {
        return Math.max(0, bytes - imageBytes) + images * wire.imageTokens() + UNSEEN_TOKENS;
    }

    private static long newBytes(CallBody body, int first) {
        return body.conversation().stream().skip(first).mapToLong(span -> span.length() + 1L).sum();
    }

    private List<Known> known(AgentId agent) {
        Deque<Known> known = byAgent.get(agent);
        if (known == null) {
            return List.of();
        }
        synchronized (known) {
            return List.copyOf(known);
        }
    }

    /** Remembers what the provider counted for it. */
    void counted(AgentId agent, Measured measured, long tokens) {
        Deque<Known> known = byAgent.computeIfAbsent(agent, _ -> new ArrayDeque<>());
        int entries = measured.digests().size() - 1;
        synchronized (known) {
            known.addFirst(
                    new Known(measured.model(), entries, measured.digests().get(entries), tokens));
            if (known.size() > KEPT) {
                known.removeLast();
            }
        }
    }

    void forget(AgentId agent) {
        byAgent.remove(agent);
    }

    private static List<String> digests(GatewayWire wire, CallBody body) {
        MessageDigest running = sha256();
        for (Map.Entry<String, JsonNode> member : body.root().properties()) {
            if (!member.getKey().equals(wire.conversation())
                    && !NO_PROMPT.contains(member.getKey())) {
                add(running, member.getKey());
                add(running, member.getValue());
            }
        }
        List<String> digests = new ArrayList<>();
        JsonNode conversation = body.root().path(wire.conversation());
        if (!conversation.isArray()) {
            add(running, conversation);
            digests.add(now(running));
            return digests;
        }
        digests.add(now(running));
        for (JsonNode entry : conversation) {
            add(running, entry);
            digests.add(now(running));
        }
        return digests;
    }

    private static String now(MessageDigest running) {
        try {
            return HexFormat.of().formatHex(((MessageDigest) running.clone()).digest());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Each part with its length, so that none runs over; marks for the cache are no prompt. */
    private static void add(MessageDigest running, JsonNode value) {
        switch (value.getNodeType()) {
            case OBJECT -> {
                add(running, "{");
                for (Map.Entry<String, JsonNode> member : value.properties()) {
                    if (!member.getKey().equals("cache_control")) {
                        add(running, member.getKey());
                        add(running, member.getValue());
                    }
                }
                add(running, "}");
            }
            case ARRAY -> {
                add(running, "[");
                value.forEach(entry -> add(running, entry));
                add(running, "]");
            }
            case STRING -> {
                add(running, "\"");
                add(running, value.stringValue());
            }
            default -> add(running, value.toString());
        }
    }

    private static void add(MessageDigest running, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        running.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        running.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
