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

    static void apply(
            JavalinConfig javalin,
            ListenerConfig config,
            Optional<Tls> tls,
            ConnectionLimiter connectionLimiter) {
        javalin.startup.showJavalinBanner = false;
        javalin.startup.showOldJavalinVersionWarning = false;
        javalin.startup.startupWatcherEnabled = false;
        javalin.concurrency.useVirtualThreads = true;
        javalin.http.maxRequestSize = config.limits().bodyBytes();
        javalin.http.generateEtags = false;
        javalin.jetty.modifyHttpConfiguration(
                http -> {
                    guard(http, config.proxies(), connectionLimiter);
                    http.setSendDateHeader(true);
                    // A link keeps the parser of the request it began with, and with a token among
                    // its headers such a cache takes 100 KB.
                    http.setHeaderCacheSize(0);
                });
        javalin.jetty.addConnector(
                (server, http) -> connector(server, http, config, tls, connectionLimiter));
        if (needsLocalConnector(config, tls)) {
            javalin.jetty.addConnector((server, http) -> localConnector(server, connectionLimiter));
        }
        JettyErrorHandler jettyErrorHandler = new JettyErrorHandler();
        javalin.jetty.modifyServer(
                server -> {
                    server.setStopTimeout(1_000);
                    server.setErrorHandler(jettyErrorHandler);
                });
        javalin.jetty.modifyServletContextHandler(
                context -> context.setErrorHandler(jettyErrorHandler));
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
            Server server,
            HttpConfiguration http,
            ListenerConfig config,
            Optional<Tls> tls,
            ConnectionLimiter connectionLimiter) {
        ServerConnector connector =
                tls.map(t -> secure(server, http, t, connectionLimiter))
                        .orElseGet(
                                () ->
                                        new BoundedConnector(
                                                server,
                                                connectionLimiter,
                                                new HttpConnectionFactory(http)));
        connector.setHost(Loopback.withoutBrackets(config.address()));
        connector.setPort(config.port());
        connector.setIdleTimeout(HTTP_IDLE.toMillis());
        // A client that finds it full tries again only after a second, and then after three.
        connector.setAcceptQueueSize(4_096);
        return connector;
    }

    /** Whether this machine's command line cannot reach the listener by plain loopback. */
    private static boolean needsLocalConnector(ListenerConfig config, Optional<Tls> tls) {
        return tls.isPresent() || !Loopback.isLoopback(config.address());
    }

    private static ServerConnector localConnector(
            Server server, ConnectionLimiter connectionLimiter) {
        // A configuration of its own: the other one may expect TLS.
        HttpConfiguration plain = new HttpConfiguration();
        guard(plain, TrustedProxies.NONE, connectionLimiter);
        ServerConnector connector =
                new BoundedConnector(server, connectionLimiter, new HttpConnectionFactory(plain));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(HTTP_IDLE.toMillis());
        return connector;
    }

    /** Limits what anonymous clients can send and how slowly, and resolves their addresses. */
    private static void guard(
            HttpConfiguration http, TrustedProxies proxies, ConnectionLimiter connectionLimiter) {
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(MAX_HEADERS);
        http.addCustomizer(connectionLimiter);
        http.addCustomizer(new ClientAddressResolver(proxies));
    }

    private static ServerConnector secure(
            Server server, HttpConfiguration http, Tls tls, ConnectionLimiter connectionLimiter) {
        http.addCustomizer(new SecureRequestCustomizer(false));
        return new BoundedConnector(
                server,
                connectionLimiter,
                new SslConnectionFactory(tls.factory(), "http/1.1"),
                new HttpConnectionFactory(http));
    }
}
