package dev.skep.transport.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.wire.Frame;
import dev.skep.wire.call.CallFrame;
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
import java.util.concurrent.atomic.AtomicReference;

/** Calls one hub over its link, while that is open. Thread-safe. */
public final class CallClient implements LinkProtocol<String>, HubTransport {
    private final AtomicReference<Channel> open = new AtomicReference<>();

    @Override
    public Set<String> types() {
        return Set.of(CallFrame.ANSWER);
    }

    @Override
    public LinkProtocolHandler open(String hub, Link link) {
        Channel channel = new Channel(link);
        open.set(channel);
        return channel;
    }

    @Override
    public Optional<Answer> post(String path, String json, Duration timeout, boolean bulk)
            throws InterruptedException {
        Channel channel = open.get();
        return channel == null
                ? Optional.empty()
                : Optional.of(channel.post(path, json, timeout, bulk));
    }

    private final class Channel implements LinkProtocolHandler {
        private final Link link;
        private final AtomicLong ids = new AtomicLong();
        private final Map<Long, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
        private volatile boolean closed;

        Channel(Link link) {
            this.link = link;
        }

        Answer post(String path, String json, Duration timeout, boolean bulk)
                throws InterruptedException {
            long id = ids.incrementAndGet();
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            waiting.put(id, answer);
            try {
                Frame frame = new CallFrame.Call(id, path, json).frame();
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
                CallFrame.Answer answer = CallFrame.Answer.read(frame);
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
            open.compareAndSet(this, null);
            waiting.values().forEach(asker -> asker.completeExceptionally(lost()));
        }
    }
}
