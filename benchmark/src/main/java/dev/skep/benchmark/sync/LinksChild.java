package dev.skep.benchmark.sync;

import dev.skep.agents.AgentTables;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.sync.SyncSchema;
import dev.skep.transport.client.HttpApiClient;
import dev.skep.transport.link.Link;
import dev.skep.transport.link.LinkDialer;
import dev.skep.transport.link.LinkProtocol;
import dev.skep.transport.link.LinkProtocolHandler;
import dev.skep.transport.link.LinkProtocols;
import dev.skep.transport.socket.SocketDialer;
import dev.skep.wire.DecodedMessage;
import dev.skep.wire.Frame;
import dev.skep.wire.Message;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.MessageRows;
import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many hosts without rows of their own in one process: they speak the protocol and store nothing.
 */
final class LinksChild {
    private static final int SUBJECT = AgentTables.MAIL_MESSAGES.indexOf("subject");

    private final SyncSchema schema = BenchBase.tables();
    private final MessageCodec codec = new MessageCodec(schema.tables()::named);
    private final HttpClient client = HttpApiClient.newClient();
    private final SocketDialer sockets = LinkDialer.sockets();
    private final AtomicInteger live = new AtomicInteger();
    private final List<LinkDialer> dialers = new ArrayList<>();
    private final List<Long> latencies = new ArrayList<>();
    private final int port;

    private LinksChild(int port) {
        this.port = port;
        sockets.start();
    }

    public static void main(String[] arguments) throws Exception {
        LinksChild links = new LinksChild(Integer.parseInt(arguments[0]));
        Commands.serve(
                words ->
                        switch (words[0]) {
                            case "open" -> links.open(Integer.parseInt(words[1]));
                            case "opened" -> Integer.toString(links.dialers.size());
                            case "live" -> Integer.toString(links.live.get());
                            case "latencies" -> links.take();
                            default -> throw new IllegalArgumentException(words[0]);
                        });
        System.exit(0);
    }

    private String open(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            LightHost host = new LightHost(client, port, dialers.size());
            LinkDialer dialer =
                    new LinkDialer(
                            sockets,
                            host,
                            new LinkProtocols<>(List.of(new Listening(host.id()))),
                            InstantSource.system(),
                            new Random());
            dialers.add(dialer);
            dialer.start();
            // A fleet does not come in one instant; a hub's accept queue is bounded.
            if (i % 25 == 24) {
                Thread.sleep(25);
            }
        }
        return "done";
    }

    private String take() {
        synchronized (latencies) {
            String all = String.join(",", latencies.stream().map(String::valueOf).toList());
            latencies.clear();
            return all;
        }
    }

    private void note(MessageRows rows) {
        long now = System.nanoTime();
        for (TableRows part : rows.tables()) {
            if (part.table().name().equals(AgentTables.MAIL_MESSAGES.name())) {
                synchronized (latencies) {
                    for (SyncRow row : part.rows()) {
                        latencies.add(now - Long.parseLong(row.text(SUBJECT)));
                    }
                }
            }
        }
    }

    /** A host that takes what it is given. */
    private final class Listening implements LinkProtocol<String> {
        private final String host;
        private long cursor;
        private long hubHead;

        Listening(String host) {
            this.host = host;
        }

        @Override
        public Set<String> types() {
            return MessageCodec.TYPES;
        }

        @Override
        public Set<Byte> tags() {
            return Set.of(Frame.COMPRESSED);
        }

        @Override
        public LinkProtocolHandler open(String hub, Link link) {
            link.urgent(catchUp());
            return new LinkProtocolHandler() {
                @Override
                public void received(Frame frame) {
                    if (codec.decode(frame) instanceof DecodedMessage.Read(Message message)) {
                        answer(message, link);
                    }
                }

                @Override
                public void closed(String reason) {
                    System.err.println("a link was closed: " + reason);
                }
            };
        }

        private Frame catchUp() {
            return Frame.of(
                    new Message.CatchUp(host, schema.version(), 1, 1, cursor, hubHead, Map.of()));
        }

        private void answer(Message message, Link link) {
            switch (message) {
                case Message.CatchUpResponse m -> {
                    cursor = m.cursor();
                    hubHead = m.hubHead();
                    if (m.hasMore()) {
                        link.urgent(catchUp());
                    } else {
                        live.incrementAndGet();
                    }
                }
                case Message.SyncRequest m -> {
                    if (m.forwards() != null) {
                        note(m.forwards().rows());
                        cursor = m.forwards().cursor();
                        hubHead = m.forwards().hubHead();
                    }
                    link.urgent(
                            Frame.of(
                                    new Message.SyncResponse(
                                            m.reqId(),
                                            host,
                                            MessageRows.NONE,
                                            m.since(),
                                            m.since(),
                                            false,
                                            cursor,
                                            false)));
                }
                default -> {}
            }
        }
    }
}
