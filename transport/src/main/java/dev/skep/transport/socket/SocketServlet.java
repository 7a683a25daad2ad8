package dev.skep.transport.socket;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.http.BrowserGuard;
import dev.skep.transport.http.ClientAddressResolver;
import dev.skep.transport.http.RateLimitedLog;
import dev.skep.transport.http.SessionCookie;
import dev.skep.transport.socket.SocketAcceptor.AdmissionResult;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.ee10.websocket.server.JettyWebSocketServerContainer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns HTTP requests into sockets, or into a line that says why not. */
final class SocketServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(SocketServlet.class);
    private static final String BEARER = "bearer ";
    private static final String NOT_HERE = "Not Found";

    private final transient RateLimitedLog log = new RateLimitedLog(LOG::info);
    private final transient BrowserGuard guard;
    private final transient SocketAcceptor socketAcceptor;
    private final transient SocketKeepAlive socketKeepAlive;
    private final transient List<String> paths;

    SocketServlet(
            BrowserGuard guard,
            SocketAcceptor socketAcceptor,
            SocketKeepAlive socketKeepAlive,
            List<String> paths) {
        this.guard = guard;
        this.paths = paths;
        this.socketAcceptor = socketAcceptor;
        this.socketKeepAlive = socketKeepAlive;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            guard.checkPage(request.getHeader("Host"), request.getHeader("Origin"));
        } catch (SkepException refused) {
            refuse(response, refused.code().httpStatus(), String.valueOf(refused.getMessage()));
            return;
        }
        switch (entry(request)) {
            case AdmissionResult.Refused(int status, String text) -> refuse(response, status, text);
            case AdmissionResult.Admitted(var handler) -> upgrade(request, response, handler.get());
        }
    }

    /** The acceptor's answer; if it fails, the client learns only that, and the log says why. */
    private AdmissionResult entry(HttpServletRequest request) {
        AdmissionResult admissionResult;
        try {
            admissionResult = socketAcceptor.enter(read(request));
        } catch (SkepException refused) {
            admissionResult =
                    new AdmissionResult.Refused(refused.code().httpStatus(), refused.code().code());
        } catch (RuntimeException failure) {
            log.report(
                    "sockets that failed with " + RateLimitedLog.causeOf(failure),
                    () -> LOG.error("a socket could not be opened", failure));
            admissionResult =
                    new AdmissionResult.Refused(
                            ErrorCode.INTERNAL.httpStatus(), ErrorCode.INTERNAL.code());
        }
        if (admissionResult instanceof AdmissionResult.Refused(int status, String _)) {
            log.report(
                    "sockets refused with status " + status,
                    () ->
                            LOG.info(
                                    "socket refused status={} from={}",
                                    status,
                                    request.getRemoteAddr()));
        }
        return admissionResult;
    }

    /** Answers a request for a path without sockets with the acceptor's text. */
    void refuse(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (entry(request)) {
            case AdmissionResult.Refused(int status, String text) -> refuse(response, status, text);
            case AdmissionResult.Admitted _ ->
                    refuse(response, HttpServletResponse.SC_NOT_FOUND, NOT_HERE);
        }
    }

    /** A filter in front of everything. */
    void refuseOtherSockets(ServletRequest any, ServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        boolean isOthers =
                any instanceof HttpServletRequest request
                        && "websocket".equalsIgnoreCase(request.getHeader("Upgrade"))
                        && !isMounted(request.getRequestURI());
        if (isOthers) {
            refuse((HttpServletRequest) any, (HttpServletResponse) answer);
        } else {
            chain.doFilter(any, answer);
        }
    }

    private boolean isMounted(String path) {
        return paths.stream()
                .map(mounted -> mounted.replaceFirst("/\\*$", ""))
                .anyMatch(mounted -> path.equals(mounted) || path.startsWith(mounted + "/"));
    }

    private void upgrade(
            HttpServletRequest request, HttpServletResponse response, SocketHandler handler)
            throws IOException {
        SocketEndpoint endpoint = socketKeepAlive.keep(handler);
        boolean upgraded =
                container()
                        .upgrade(
                                (asked, answer) -> {
                                    // No compression: it costs 100 KB a connection.
                                    answer.setExtensions(List.of());
                                    return endpoint;
                                },
                                request,
                                response);
        if (upgraded) {
            ClientAddressResolver.hasSocket(request);
        } else {
            socketKeepAlive.drop(endpoint);
            if (!response.isCommitted()) {
                refuse(response, HttpServletResponse.SC_BAD_REQUEST, "Bad Request");
            }
        }
    }

    private JettyWebSocketServerContainer container() {
        return JettyWebSocketServerContainer.ensureContainer(getServletContext());
    }

    private static SocketRequest read(HttpServletRequest request) {
        String authorization = Optional.ofNullable(request.getHeader("Authorization")).orElse("");
        boolean isBearer = authorization.toLowerCase(Locale.ROOT).startsWith(BEARER);
        return new SocketRequest(
                request.getRequestURI(),
                Optional.ofNullable(request.getQueryString()).orElse(""),
                isBearer
                        ? Optional.of(authorization.substring(BEARER.length()).strip())
                        : Optional.empty(),
                SessionCookie.secretIn(request),
                request.getRemoteAddr().replaceAll("[\\[\\]]", ""),
                ClientAddressResolver.isOnThisMachine(request));
    }

    private static void refuse(HttpServletResponse response, int status, String text)
            throws IOException {
        response.setStatus(status);
        response.setContentType("text/plain; charset=utf-8");
        response.setHeader("Cache-Control", "no-store");
        response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }
}
