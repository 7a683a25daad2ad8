package dev.skep.transport.loopback;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One exchange on a connection. While its answer is waited for, a second thread reads the
 * connection: nothing but its end can come there, or the first byte of the next request, which is
 * put back.
 */
final class StreamedExchange implements LoopbackExchange {
    private final RequestHead head;
    private final RequestBody body;
    private final PushbackInputStream in;
    private final OutputStream out;
    private @Nullable ResponseStream response;
    private @Nullable Thread watcher;

    private final Object lock = new Object();
    private @Nullable Runnable whenGone;
    private boolean gone;
    private boolean over;

    StreamedExchange(RequestHead head, RequestBody body, PushbackInputStream in, OutputStream out) {
        this.head = head;
        this.body = body;
        this.in = in;
        this.out = out;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String path() {
        return head.path();
    }

    @Override
    public @Nullable String query() {
        return head.query();
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(head.headers().get(name.toLowerCase(Locale.ROOT)));
    }

    @Override
    public InputStream body() {
        return body;
    }

    @Override
    public OutputStream respond(int status, Map<String, String> headers) {
        if (response != null) {
            throw new IllegalStateException("answered already");
        }
        ResponseStream made =
                new ResponseStream(
                        out, status, headers, head.keepAlive(), head.method().equals("HEAD"));
        response = made;
        return made;
    }

    boolean answered() {
        return response != null;
    }

    void finish() throws IOException {
        if (response == null) {
            respond(204, Map.of());
        }
        ResponseStream made = response;
        if (made != null) {
            made.finish();
        }
    }

    @Override
    public void onGone(Runnable then) {
        synchronized (lock) {
            whenGone = then;
        }
        if (watcher == null && body.ended()) {
            watcher = Thread.ofVirtual().name("loopback-watch").start(this::watch);
        }
        tell();
    }

    private void watch() {
        while (true) {
            try {
                int next = in.read();
                if (next < 0) {
                    gone();
                } else {
                    in.unread(next);
                }
                return;
            } catch (SocketTimeoutException e) {
                synchronized (lock) {
                    if (over) {
                        gone = true;
                        return;
                    }
                }
            } catch (IOException e) {
                gone();
                return;
            }
        }
    }

    void gone() {
        synchronized (lock) {
            gone = true;
        }
        tell();
    }

    private void tell() {
        Runnable then;
        synchronized (lock) {
            if (!gone || over || whenGone == null) {
                return;
            }
            then = whenGone;
            whenGone = null;
        }
        then.run();
    }

    /** Nobody is told any more. */
    void over() {
        synchronized (lock) {
            over = true;
        }
    }

    /** Waits, if somebody reads the connection already, until another request begins. */
    boolean clientStays() throws IOException {
        Thread reading = watcher;
        try {
            if (reading != null) {
                reading.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        synchronized (lock) {
            return !gone;
        }
    }
}
