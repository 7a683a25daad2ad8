package dev.skep.benchmark.registry;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A dashboard on the JDK's own client that keeps so many messages on the way. */
final class EchoClient {
    private static final int ON_THE_WAY = 256;

    private EchoClient() {}

    /** Messages a second, each of a kilobyte, sent and echoed. */
    static double rate(HttpClient http, URI uri, int messages) throws Exception {
        Semaphore room = new Semaphore(ON_THE_WAY);
        CountDownLatch back = new CountDownLatch(messages);
        WebSocket socket =
                http.newWebSocketBuilder().buildAsync(uri, new Counting(room, back)).get();
        String message = "x".repeat(1_024);
        long started = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            room.acquire();
            socket.sendText(message, true).get();
        }
        back.await();
        double seconds = (System.nanoTime() - started) / 1e9;
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get();
        return messages / seconds;
    }

    private static final class Counting implements WebSocket.Listener {
        private final Semaphore room;
        private final CountDownLatch back;

        Counting(Semaphore room, CountDownLatch back) {
            this.room = room;
            this.back = back;
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence data, boolean last) {
            if (last) {
                room.release();
                back.countDown();
            }
            socket.request(1);
            return null;
        }
    }
}
