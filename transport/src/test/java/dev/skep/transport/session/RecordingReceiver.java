package dev.skep.transport.session;

import dev.skep.transport.socket.MessageReceiver;
import dev.skep.transport.socket.MessageSender;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Hears messages, one for each time it is let. */
final class RecordingReceiver implements MessageReceiver {
    record Received(boolean text, ByteBuffer bytes) {}

    final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    final CompletableFuture<Integer> closed = new CompletableFuture<>();
    final CompletableFuture<MessageSender> back = new CompletableFuture<>();
    final Semaphore let;

    RecordingReceiver(int messages) {
        let = new Semaphore(messages);
    }

    Received next() throws InterruptedException {
        return Objects.requireNonNull(received.poll(20, TimeUnit.SECONDS), "nothing was received");
    }

    @Override
    public void opened(MessageSender messageSender) {
        back.complete(messageSender);
    }

    @Override
    public void text(ByteBuffer utf8) throws InterruptedException {
        let.acquire();
        received.add(new Received(true, utf8));
    }

    @Override
    public void binary(ByteBuffer message) throws InterruptedException {
        let.acquire();
        received.add(new Received(false, message));
    }

    @Override
    public void closed(int code, String reason) {
        closed.complete(code);
    }
}
