package dev.skep.transport.socket;

import dev.skep.kernel.lifecycle.Component;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.Mount;
import io.javalin.config.JavalinConfig;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletHolder;

/**
 * WebSockets of a listener, served beside the HTTP library, which neither reports pings nor allows
 * a refusal in plain text. Mounted before the listener starts; pings from {@link #start} on.
 */
public final class SocketEndpoints implements Mount, Component {
    private final List<String> paths;
    private final SocketServlet servlet;
    private final SocketKeepAlive socketKeepAlive;

    /**
     * Paths are servlet paths: {@code /ws}, or {@code /ws/*} with all below it. Web pages of
     * origins that the guard does not allow are refused before the acceptor is called.
     */
    public SocketEndpoints(
            BrowserGuard guard,
            List<String> paths,
            SocketAcceptor socketAcceptor,
            SocketLimits limits) {
        this.paths = List.copyOf(paths);
        this.socketKeepAlive = new SocketKeepAlive(limits);
        this.servlet = new SocketServlet(guard, socketAcceptor, socketKeepAlive, this.paths);
    }

    /** Also calls the acceptor for every path that nothing else is mounted on. */
    public Mount andTheRest() {
        return javalin -> {
            accept(javalin);
            javalin.routes.get("/*", context -> servlet.refuse(context.req(), context.res()));
            // The HTTP library answers requests for sockets it does not know in its own words.
            javalin.jetty.modifyServletContextHandler(
                    context ->
                            context.addFilter(
                                    servlet::refuseOtherSockets,
                                    "/*",
                                    EnumSet.of(DispatcherType.REQUEST)));
        };
    }

    @Override
    public void accept(JavalinConfig javalin) {
        javalin.jetty.modifyServletContextHandler(
                context -> {
                    ServletHolder holder = new ServletHolder(servlet);
                    paths.forEach(path -> context.addServlet(holder, path));
                });
    }

    /** How many sockets are open. */
    public int count() {
        return socketKeepAlive.count();
    }

    @Override
    public void start() {
        socketKeepAlive.start();
    }

    @Override
    public void close() {
        socketKeepAlive.close();
    }
}
