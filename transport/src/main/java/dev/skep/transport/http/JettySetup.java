package dev.skep.transport.http;

import io.javalin.config.JavalinConfig;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;

/** How the server under the listener is set up: lean, bounded, on virtual threads. */
final class JettySetup {
    /** A link pings more often than this; see the transport of links. */
    private static final Duration SOCKET_IDLE = Duration.ofSeconds(90);

    private static final Duration HTTP_IDLE = Duration.ofSeconds(60);

    /** Bytes of one WebSocket message; the largest page of rows fits with room. */
    private static final long MAX_MESSAGE = 16 << 20;

    private static final int MAX_HEADERS = 16 << 10;

    static {
        // Jetty would ask the JVM by way of its management beans, a tenth of a second at a start.
        System.setProperty("org.eclipse.jetty.util.referencesPerCacheLine", "16");
    }

    private JettySetup() {}

    static void apply(JavalinConfig javalin, ListenerConfig config, Optional<Tls> tls) {
        javalin.startup.showJavalinBanner = false;
        javalin.startup.showOldJavalinVersionWarning = false;
        javalin.startup.startupWatcherEnabled = false;
        javalin.concurrency.useVirtualThreads = true;
        javalin.http.maxRequestSize = config.limits().bodyBytes();
        javalin.http.generateEtags = false;
        javalin.jetty.modifyHttpConfiguration(
                http -> {
                    http.setSendServerVersion(false);
                    http.setSendDateHeader(true);
                    http.setRequestHeaderSize(MAX_HEADERS);
                    // A link keeps the parser of the request it began with, and with a token among
                    // its headers such a cache takes 100 KB.
                    http.setHeaderCacheSize(0);
                });
        javalin.jetty.addConnector((server, http) -> connector(server, http, config, tls));
        if (needsLocalDoor(config, tls)) {
            javalin.jetty.addConnector((server, http) -> localDoor(server));
        }
        javalin.jetty.modifyServer(server -> server.setStopTimeout(1_000));
        javalin.jetty.modifyWebSocketServletFactory(
                sockets -> {
                    sockets.setIdleTimeout(SOCKET_IDLE);
                    sockets.setMaxTextMessageSize(MAX_MESSAGE);
                    sockets.setMaxBinaryMessageSize(MAX_MESSAGE);
                    // 100 KB a connection; pages are compressed at message level instead.
                    sockets.getAvailableExtensionNames().remove("permessage-deflate");
                });
    }

    private static ServerConnector connector(
            Server server, HttpConfiguration http, ListenerConfig config, Optional<Tls> tls) {
        ServerConnector connector =
                tls.map(t -> secure(server, http, t))
                        .orElseGet(
                                () ->
                                        new ServerConnector(
                                                server, 1, 1, new HttpConnectionFactory(http)));
        connector.setHost(Loopback.withoutBrackets(config.address()));
        connector.setPort(config.port());
        connector.setIdleTimeout(HTTP_IDLE.toMillis());
        connector.setAcceptQueueSize(1_024);
        return connector;
    }

    /** Whether this machine's command line cannot reach the listener by plain loopback. */
    private static boolean needsLocalDoor(ListenerConfig config, Optional<Tls> tls) {
        return tls.isPresent() || !Loopback.isLoopback(config.address());
    }

    private static ServerConnector localDoor(Server server) {
        // A configuration of its own: the other one may expect TLS.
        HttpConfiguration plain = new HttpConfiguration();
        plain.setSendServerVersion(false);
        plain.setRequestHeaderSize(MAX_HEADERS);
        ServerConnector connector =
                new ServerConnector(server, 1, 1, new HttpConnectionFactory(plain));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(HTTP_IDLE.toMillis());
        return connector;
    }

    private static ServerConnector secure(Server server, HttpConfiguration http, Tls tls) {
        http.addCustomizer(new SecureRequestCustomizer(false));
        return new ServerConnector(
                server,
                1,
                1,
                new SslConnectionFactory(tls.factory(), "http/1.1"),
                new HttpConnectionFactory(http));
    }
}
