package dev.skep.testkit.hub;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.transport.link.HubAddress;
import dev.skep.transport.link.LinkAcceptor;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.link.LinkServer;
import dev.skep.transport.route.Credentials;
import dev.skep.transport.socket.SocketDialer;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;

/**
 * Links whose tickets are plain words, {@code host:ORG:ID}, for tests that are not about
 * authentication.
 */
public final class PlainLinks {
    /** For all links of this process; its threads are daemons and end with it. */
    private static final SocketDialer SOCKETS = LinkDialer.sockets();

    static {
        SOCKETS.start();
    }

    private PlainLinks() {}

    /** Lets everybody in as who they say they are. */
    public static LinkAcceptor linkAcceptor() {
        return PlainLinks::admit;
    }

    private static LinkAcceptor.Admission admit(Credentials credentials) {
        String[] words = credentials.bearer().orElse("host:nowhere:nobody").split(":", -1);
        Principal.Host host = new Principal.Host(new OrgId(words[1]), new HostId(words[2]));
        return new LinkAcceptor.Admission() {
            @Override
            public Principal.Host host() {
                return host;
            }

            @Override
            public LinkAcceptor.Lease claim(Runnable closeLink) {
                return reason -> {};
            }

            @Override
            public boolean counts() {
                return true;
            }
        };
    }

    /** A host's link to a hub at this HTTP address; the hub is known as {@code hub}. */
    public static LinkDialer dialer(String url, String ticket, LinkProtocol<String> linkProtocol) {
        return dialer(url, ticket, List.of(linkProtocol));
    }

    public static LinkDialer dialer(
            String url, String ticket, List<LinkProtocol<String>> linkProtocols) {
        URI link = URI.create(url.replaceFirst("^http", "ws") + LinkServer.PATH);
        HubAddress address =
                new HubAddress() {
                    @Override
                    public String name() {
                        return url;
                    }

                    @Override
                    public URI link() {
                        return link;
                    }

                    @Override
                    public Ticket ticket() {
                        return new Ticket(ticket, "hub");
                    }
                };
        return new LinkDialer(
                SOCKETS,
                address,
                new LinkProtocols<>(linkProtocols),
                InstantSource.system(),
                new Random(1));
    }
}
