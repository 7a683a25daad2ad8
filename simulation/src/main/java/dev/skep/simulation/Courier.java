package dev.skep.simulation;

import static dev.skep.agents.AgentTables.MAIL_MESSAGES;
import static dev.skep.agents.AgentTables.USERS;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import dev.skep.simulation.MachineStore.Stored;
import dev.skep.sync.NameConflict;
import dev.skep.sync.SyncSchema;
import dev.skep.wire.DecodedMessage;
import dev.skep.wire.Frame;
import dev.skep.wire.Message;
import dev.skep.wire.Message.CatchUp;
import dev.skep.wire.Message.SyncRequest;
import dev.skep.wire.Message.SyncResponse;
import dev.skep.wire.MessageCodec;
import dev.skep.wire.MessageRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages: as objects, or through the real codec. On the way rows go bad, a liar adds rows
 * that are not its own, a table the receiver does not know is left out, and rules are broken.
 */
final class Courier {
    private final World world;
    private final boolean encoded;
    private final Map<SimulatedWire, Long> lastSent = new HashMap<>();
    private final Set<String> sentGrants = new HashSet<>();
    private final List<Stored> forgeries = new ArrayList<>();
    private final List<Stored> forgedForwards = new ArrayList<>();
    private long forgedMail = 1L << 40;

    Courier(World world, boolean encoded) {
        this.world = world;
        this.encoded = encoded;
    }

    /** The next page that any runner sends also carries this row, as its own. */
    void forge(Stored row) {
        forgeries.add(row);
    }

    /** The next forwards that reach a runner also carry mail in the name of this agent. */
    void forgeForward(Stored agent) {
        forgedForwards.add(agent);
    }

    /** What a hub says that took a lie for true, or lies itself. */
    Message arriving(SimulatedWire wire, Message message) {
        return switch (message) {
            case SyncRequest m when m.forwards() != null ->
                    new SyncRequest(
                            m.reqId(),
                            m.schemaVersion(),
                            m.since(),
                            m.ahead(),
                            m.pageBytes(),
                            m.kept(),
                            m.head(),
                            m.seen(),
                            new Message.Forwards(
                                    withLies(wire, m.forwards().rows()),
                                    m.forwards().cursor(),
                                    m.forwards().hubHead()),
                            m.heal(),
                            m.rejects(),
                            m.grants());
            case Message.CatchUpResponse m ->
                    new Message.CatchUpResponse(
                            withLies(wire, m.rows()),
                            m.cursor(),
                            m.hubHead(),
                            m.hasMore(),
                            m.wantSeen());
            default -> message;
        };
    }

    private MessageRows withLies(SimulatedWire wire, MessageRows rows) {
        boolean agents =
                rows.tables().stream().anyMatch(part -> part.table().name().equals(USERS.name()));
        if (forgedForwards.isEmpty() || agents || rows.tables().isEmpty()) {
            return rows;
        }
        Stored victim = forgedForwards.getFirst();
        String agent = victim.row().text(0);
        RunnerMachine to = wire.runner();
        Optional<HostId> liar =
                wire.hub().wires.stream()
                        .map(other -> other.runner().self)
                        .filter(host -> host.org().equals(to.self.org()))
                        .map(Principal.Host::id)
                        .filter(host -> !host.equals(to.self.id()))
                        .filter(host -> !host.value().equals(victim.row().hostId()))
                        .filter(
                                host ->
                                        !world.has(Rule.FORWARDED_AGENT_OF_HOST)
                                                || to.store
                                                        .read(
                                                                db ->
                                                                        db.agentsOf(
                                                                                to.self.org(),
                                                                                host,
                                                                                Set.of(agent)))
                                                        .isEmpty())
                        .findFirst();
        if (!victim.org().equals(to.self.org()) || liar.isEmpty()) {
            return rows;
        }
        forgedForwards.removeFirst();
        world.count(Fault.FORGED_FORWARD);
        world.say(() -> "%s forwards mail as %s".formatted(wire.hub(), agent));
        return MessageRows.of(withMail(rows.tables(), liar.get(), agent));
    }

    void onClose(String reason) {
        if (reason.contains("in time") || reason.contains("silent")) {
            world.count(Fault.TIMED_OUT);
        }
        if (reason.contains("schema")) {
            world.count(Fault.VERSION_REFUSED);
        }
        if (reason.contains("asked for again")) {
            world.count(Fault.ASKED_AGAIN);
        }
        if (reason.contains("newer link")) {
            world.count(Fault.FENCED);
        }
    }

    Message toHub(SimulatedWire wire, Message message) {
        Message sent =
                switch (message) {
                    case CatchUp m -> catchUp(m);
                    case SyncResponse m -> response(wire, m);
                    default -> message;
                };
        return carried(sent, wire.hub().schema());
    }

    private Message catchUp(CatchUp m) {
        return new CatchUp(
                m.hostId(),
                m.schemaVersion(),
                m.protocolMin(),
                m.protocolMax(),
                m.lastSyncedFromHub(),
                world.has(Rule.HUB_HEAD_CHECK) ? m.hubHead() : m.lastSyncedFromHub(),
                world.has(Rule.SEEN) ? m.seen() : Map.of());
    }

    private Message response(SimulatedWire wire, SyncResponse m) {
        if (m.healed()) {
            world.count(Fault.HEAL);
        }
        long applied =
                world.has(Rule.APPLIED_MATCHES)
                        ? m.applied()
                        : lastSent.getOrDefault(wire, m.applied());
        MessageRows rows =
                m.healed() ? m.rows() : MessageRows.of(forged(wire, spoiled(m.rows().tables())));
        return new SyncResponse(
                m.reqId(), m.hostId(), rows, m.upto(), m.head(), m.hasMore(), applied, m.healed());
    }

    /** Some rows arrive without a column they need. */
    private List<TableRows> spoiled(List<TableRows> tables) {
        int body = MAIL_MESSAGES.indexOf("body");
        List<TableRows> result = new ArrayList<>();
        for (TableRows part : tables) {
            boolean poisoned =
                    part.table().name().equals(MAIL_MESSAGES.name())
                            && part.rows().stream()
                                    .anyMatch(row -> Samples.POISON.equals(row.value(body)));
            result.add(poisoned ? new TableRows(part.table(), spoil(part.rows(), body)) : part);
        }
        return result;
    }

    private List<SyncRow> spoil(List<SyncRow> rows, int body) {
        List<SyncRow> spoiled = new ArrayList<>();
        for (SyncRow row : rows) {
            if (Samples.POISON.equals(row.value(body))) {
                world.count(Fault.POISON_ROW);
                @Nullable Object[] values = Samples.with(MAIL_MESSAGES, row, "body", null);
                spoiled.add(new SyncRow(row.hostId(), row.gen(), row.ver(), values, null));
            } else {
                spoiled.add(row);
            }
        }
        return spoiled;
    }

    private List<TableRows> forged(SimulatedWire wire, List<TableRows> tables) {
        if (forgeries.isEmpty() || tables.isEmpty()) {
            return tables;
        }
        Stored victim = forgeries.removeFirst();
        String liar = wire.runner().self.id().value();
        // An empty hub cannot know an id's owner before the owner has sent it.
        boolean known =
                wire.hub().store.rows(USERS).stream()
                        .anyMatch(row -> row.row().text(0).equals(victim.row().text(0)));
        if (victim.row().hostId().equals(liar) || !known) {
            return tables;
        }
        world.count(Fault.FORGED_ROW);
        // As its own row with the victim's id; as a takeover that was not granted; as the victim
        // itself; as mail in the victim's name.
        int lie = world.pick(4);
        if (lie == 3) {
            return withForgedMail(wire, tables, victim);
        }
        String owner = lie == 2 ? victim.row().hostId() : liar;
        long gen = lie == 1 ? Long.MAX_VALUE >>> 12 : victim.row().gen();
        @Nullable Object[] values = Samples.with(USERS, victim.row(), "title", Samples.FORGED);
        SyncRow row = new SyncRow(owner, gen, Long.MAX_VALUE >>> 2, values, null);
        world.say(() -> "%s lies about %s".formatted(wire.runner(), victim.row().text(0)));
        List<TableRows> all = new ArrayList<>();
        for (TableRows part : tables) {
            if (!part.table().name().equals(USERS.name())) {
                all.add(part);
            }
        }
        all.add(new TableRows(USERS, List.of(row)));
        for (TableRows part : tables) {
            if (part.table().name().equals(USERS.name())) {
                List<SyncRow> rows = new ArrayList<>(part.rows());
                rows.add(row);
                all.set(all.size() - 1, new TableRows(USERS, rows));
            }
        }
        return all;
    }

    private List<TableRows> withForgedMail(
            SimulatedWire wire, List<TableRows> tables, Stored victim) {
        String agent = victim.row().text(0);
        HostId liar = wire.runner().self.id();
        OrgId org = wire.runner().self.org();
        if (world.has(Rule.AGENT_OF_HOST) && hasWrittenFor(wire, org, liar, agent)) {
            return tables;
        }
        world.say(() -> "%s writes mail as %s".formatted(wire.runner(), agent));
        return withMail(tables, liar, agent);
    }

    private List<TableRows> withMail(List<TableRows> tables, HostId liar, String agent) {
        String id = Samples.id(1, forgedMail++);
        SyncRow mail =
                new SyncRow(
                        liar.value(),
                        0,
                        Long.MAX_VALUE >>> 2,
                        Samples.mail(id, agent, Samples.FORGED),
                        null);
        List<TableRows> all = new ArrayList<>();
        List<SyncRow> mails = new ArrayList<>();
        for (TableRows part : tables) {
            if (part.table().name().equals(MAIL_MESSAGES.name())) {
                mails.addAll(part.rows());
            } else {
                all.add(part);
            }
        }
        mails.add(mail);
        all.add(new TableRows(MAIL_MESSAGES, mails));
        return all;
    }

    /** One that owned the agent once, or was given it, may still send what it wrote then. */
    private static boolean hasWrittenFor(SimulatedWire wire, OrgId org, HostId liar, String agent) {
        return !wire.hub().store.read(db -> db.agentsOf(org, liar, Set.of(agent))).isEmpty();
    }

    Message toRunner(SimulatedWire wire, Message message) {
        Message sent =
                switch (message) {
                    case SyncRequest m -> request(wire, m);
                    case Message.CatchUpResponse m -> {
                        if (m.wantSeen()) {
                            world.count(Fault.WANT_SEEN);
                        }
                        yield m;
                    }
                    default -> message;
                };
        return carried(sent, wire.runner().schema());
    }

    private Message request(SimulatedWire wire, SyncRequest m) {
        if (m.ahead()) {
            world.count(Fault.ASKED_AHEAD);
        }
        Message.Forwards forwards = m.forwards();
        if (forwards != null) {
            lastSent.put(wire, forwards.cursor());
        }
        Message.Heal heal = m.heal();
        if (heal != null && !world.has(Rule.HEAL_RETURNS_ROWS)) {
            heal = new Message.Heal(MessageRows.NONE, heal.head(), heal.hasMore());
        }
        List<Message.Reject> rejects = m.rejects();
        if (rejects.stream().anyMatch(r -> r.reason().equals(NameConflict.REASON))) {
            world.count(Fault.NAME_TAKEN);
            if (!world.has(Rule.NAME_MARKS)) {
                rejects = List.of();
            }
        }
        List<Message.Grant> grants = m.grants();
        if (!world.has(Rule.GRANT_REPEATED)) {
            grants =
                    grants.stream()
                            .filter(g -> sentGrants.add(wire.hub() + "/" + g.userId() + g.gen()))
                            .toList();
        }
        return new SyncRequest(
                m.reqId(),
                m.schemaVersion(),
                m.since(),
                m.ahead() && world.has(Rule.AHEAD_IS_NOT_STORED),
                m.pageBytes(),
                world.has(Rule.ASIDE_HOLDS_UP) ? m.kept() : m.since(),
                world.has(Rule.HEAD_CHECK) ? m.head() : m.since(),
                m.seen(),
                forwards,
                heal,
                rejects,
                grants);
    }

    /** What arrives: the same message, as far as the receiver knows its tables. */
    private Message carried(Message message, SyncSchema receiver) {
        if (encoded) {
            return reread(message, receiver);
        }
        if (receiver.version() == Samples.NEW.version()) {
            return message;
        }
        return switch (message) {
            case Message.CatchUpResponse m ->
                    new Message.CatchUpResponse(
                            known(m.rows(), receiver),
                            m.cursor(),
                            m.hubHead(),
                            m.hasMore(),
                            m.wantSeen());
            case SyncRequest m when m.forwards() != null ->
                    new SyncRequest(
                            m.reqId(),
                            m.schemaVersion(),
                            m.since(),
                            m.ahead(),
                            m.pageBytes(),
                            m.kept(),
                            m.head(),
                            m.seen(),
                            new Message.Forwards(
                                    known(m.forwards().rows(), receiver),
                                    m.forwards().cursor(),
                                    m.forwards().hubHead()),
                            m.heal(),
                            m.rejects(),
                            m.grants());
            default -> message;
        };
    }

    private static MessageRows known(MessageRows rows, SyncSchema receiver) {
        return MessageRows.of(
                rows.tables().stream()
                        .filter(part -> receiver.tables().named(part.table().name()).isPresent())
                        .toList());
    }

    private static Message reread(Message message, SyncSchema receiver) {
        MessageCodec codec = new MessageCodec(receiver.tables()::named);
        Frame frame = codec.encode(message);
        return switch (codec.decode(frame)) {
            case DecodedMessage.Read(var read) -> read;
            case DecodedMessage.Garbage(var error, var why) ->
                    throw new Violation("the codec refuses its own message: " + error + " " + why);
        };
    }
}
