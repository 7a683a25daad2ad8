package dev.skep.transport.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.wire.Frame;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Calls hubs over the links that are open to them. Thread-safe. */
public final class CallClient implements LinkProtocol<String> {
    private final Map<String, Channel> open = new ConcurrentHashMap<>();

    /** A status and a JSON text, as over HTTP. */
    public record Answer(int status, String body) {}

    @Override
    public Set<String> types() {
        return Set.of(CallFrames.ANSWER);
    }

    @Override
    public LinkProtocolHandler open(String hub, Link link) {
        Channel channel = new Channel(hub, link);
        open.put(hub, channel);
        return channel;
    }

    /**
     * Asks a hub; empty if there is no link to it now. Throws if the link breaks before the answer
     * or the time is up: then nobody knows whether the hub has done it.
     *
     * @param bulk whether it may wait behind other bulk on the link
     */
    public Optional<Answer> post(
            String hub, String path, byte[] body, Duration timeout, boolean bulk)
            throws InterruptedException {
        Channel channel = open.get(hub);
        return channel == null
                ? Optional.empty()
                : Optional.of(channel.post(path, body, timeout, bulk));
    }

    private final class Channel implements LinkProtocolHandler {
        private final String hub;
        private final Link link;
        private final AtomicLong ids = new AtomicLong();
        private final Map<Long, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
        private volatile boolean closed;

        Channel(String hub, Link link) {
            this.hub = hub;
            this.link = link;
        }

        Answer post(String path, byte[] body, Duration timeout, boolean bulk)
                throws InterruptedException {
            long id = ids.incrementAndGet();
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            waiting.put(id, answer);
            try {
                Frame frame = CallFrames.call(id, path, body);
                boolean sent = bulk ? link.send(frame) : link.urgent(frame);
                if (!sent || closed) {
                    throw lost();
                }
                return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw lost();
            } finally {
                waiting.remove(id);
            }
        }

        private SkepException lost() {
            return new SkepException(
                    ErrorCode.HUB_UNREACHABLE, "the link to the hub broke before it answered");
        }

        @Override
        public void received(Frame frame) {
            try {
                CallFrames.Answer answer = CallFrames.readAnswer(frame);
                CompletableFuture<Answer> asker = waiting.get(answer.id());
                if (asker != null) {
                    asker.complete(new Answer(answer.status(), answer.body()));
                }
            } catch (SkepException garbage) {
                link.close("an answer that cannot be read");
            }
        }

        @Override
        public void closed(String reason) {
            closed = true;
            open.remove(hub, this);
            waiting.values().forEach(asker -> asker.completeExceptionally(lost()));
        }
    }
}
