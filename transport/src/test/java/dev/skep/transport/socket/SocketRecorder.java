package dev.skep.transport.socket;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A handler that keeps what it hears, and can be told not to read on. */
class SocketRecorder implements SocketHandler {
    final CompletableFuture<SocketSender> socketSender = new CompletableFuture<>();
    final LinkedBlockingQueue<String> texts = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<ByteBuffer> binaries = new LinkedBlockingQueue<>();
    final LinkedBlockingQueue<String> pings = new LinkedBlockingQueue<>();
    final CompletableFuture<String> closed = new CompletableFuture<>();

    @Override
    public void opened(SocketSender opened) throws InterruptedException {
        socketSender.complete(opened);
    }

    @Override
    public void text(String message) throws InterruptedException {
        texts.add(message);
    }

    @Override
    public void binary(ByteBuffer message) throws InterruptedException {
        binaries.add(message);
    }

    @Override
    public void pinged() {
        pings.add("ping");
    }

    @Override
    public void closed(int code, String reason) {
        closed.complete(code + " " + reason);
    }

    static <T> T next(LinkedBlockingQueue<T> queue) throws InterruptedException {
        T value = queue.poll(10, TimeUnit.SECONDS);
        if (value == null) {
            throw new AssertionError("nothing came");
        }
        return value;
    }
}
