package dev.skep.transport.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.route.HttpMethod;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.Request;
import dev.skep.transport.route.Response;
import dev.skep.transport.route.RouteTable;
import dev.skep.transport.route.Router;
import dev.skep.wire.Frame;
import dev.skep.wire.call.CallFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers hosts' calls from a route table; the caller is the host that owns the link. */
public final class CallServer implements LinkProtocol<Principal.Host> {
    private static final Logger LOG = LoggerFactory.getLogger(CallServer.class);

    /** A host polls, beats, prints and reports; more at once than this, and it waits. */
    private static final int AT_ONCE = 32;

    private final RouteTable table;

    public CallServer(RouteTable table) {
        this.table = table;
    }

    @Override
    public Set<String> types() {
        return Set.of(CallFrame.CALL);
    }

    @Override
    public LinkProtocolHandler open(Principal.Host host, Link link) {
        return new Channel(new Router(table, new SingleHostAuthenticator(host)), link);
    }

    private record SingleHostAuthenticator(Principal.Host host) implements Authenticator {
        @Override
        public Optional<Principal> principalOf(Credentials credentials) {
            return Optional.of(host);
        }

        @Override
        public boolean isOrg(OrgId org) {
            return org.equals(host.org());
        }
    }

    private static final class Channel implements LinkProtocolHandler {
        private final Router router;
        private final Link link;
        private final Semaphore free = new Semaphore(AT_ONCE);
        private final Set<Thread> answering = ConcurrentHashMap.newKeySet();

        Channel(Router router, Link link) {
            this.router = router;
            this.link = link;
        }

        @Override
        public void received(Frame frame) throws InterruptedException {
            CallFrame.Call call;
            try {
                call = CallFrame.Call.read(frame);
            } catch (SkepException garbage) {
                link.close("a call that cannot be read");
                return;
            }
            free.acquire();
            Thread thread = Thread.ofVirtual().name("call-" + call.id()).unstarted(() -> act(call));
            answering.add(thread);
            thread.start();
        }

        private void act(CallFrame.Call call) {
            try {
                answer(call);
            } finally {
                answering.remove(Thread.currentThread());
                free.release();
            }
        }

        private void answer(CallFrame.Call call) {
            try {
                Response response = router.answer(request(call));
                ByteArrayOutputStream body = new ByteArrayOutputStream();
                response.body().writeTo(body);
                CallFrame.Answer answer =
                        new CallFrame.Answer(
                                call.id(),
                                response.status(),
                                body.toString(StandardCharsets.UTF_8));
                boolean sent = link.urgent(answer.frame(), response.body()::undelivered);
                if (!sent) {
                    response.body().undelivered();
                }
            } catch (SkepException e) {
                link.urgent(problem(call, e.code(), String.valueOf(e.getMessage())));
            } catch (IOException | RuntimeException e) {
                LOG.error("call failed path={}", call.path(), e);
                link.urgent(
                        problem(call, ErrorCode.INTERNAL, "unexpected failure; see the hub's log"));
            }
        }

        private static Frame problem(CallFrame.Call call, ErrorCode code, String detail) {
            String problem = Json.text(Map.of("code", code.code(), "detail", detail));
            return new CallFrame.Answer(call.id(), code.httpStatus(), problem).frame();
        }

        private static Request request(CallFrame.Call call) {
            int mark = call.path().indexOf('?');
            return Request.of(
                    HttpMethod.POST,
                    mark < 0 ? call.path() : call.path().substring(0, mark),
                    mark < 0 ? "" : call.path().substring(mark + 1),
                    Credentials.none("link"),
                    call.body().getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void closed(String reason) {
            // A poll for a peer that is gone would claim work that no one executes.
            answering.forEach(Thread::interrupt);
        }
    }
}
