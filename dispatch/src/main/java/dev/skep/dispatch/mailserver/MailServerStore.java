package dev.skep.dispatch.mailserver;

import dev.skep.directory.secret.SealedSecrets;
import dev.skep.dispatch.outgoing.Smtp;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code mail_servers}: at most one for each org. */
public final class MailServerStore {
    private final SealedSecrets secrets;

    public MailServerStore(SealedSecrets secrets) {
        this.secrets = secrets;
    }

    /**
     * Sets the server of an org.
     *
     * @param password null keeps the one that is stored, if host and user stay the same
     */
    public void put(
            Transaction transaction, OrgId org, MailServer server, @Nullable String password) {
        String sealed =
                password == null
                        ? kept(transaction, org, server)
                        : secrets.seal(password, MailServer.label(org.value()));
        transaction.update(
                """
                INSERT INTO mail_servers
                    (org_id, host, port, security, username, password, sender, updated_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (org_id) DO UPDATE SET host = excluded.host, port = excluded.port,
                    security = excluded.security, username = excluded.username,
                    password = excluded.password, sender = excluded.sender,
                    updated_at = excluded.updated_at""",
                org.value(),
                server.host(),
                server.port(),
                server.security().label(),
                server.user(),
                server.user() == null ? null : sealed,
                server.sender(),
                server.updatedAt());
    }

    /** A stored password goes to no other server, and is nobody else's. */
    private static @Nullable String kept(Transaction transaction, OrgId org, MailServer server) {
        return transaction
                .first(
                        "SELECT password FROM mail_servers WHERE org_id = ? AND host = ? AND username = ?",
                        row -> Optional.ofNullable(row.textOrNull("password")),
                        org.value(),
                        server.host(),
                        server.user())
                .flatMap(found -> found)
                .orElse(null);
    }

    public boolean delete(Transaction transaction, OrgId org) {
        return transaction.update("DELETE FROM mail_servers WHERE org_id = ?", org.value()) == 1;
    }

    public Optional<MailServer> find(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                "SELECT * FROM mail_servers WHERE org_id = ?", MailServerStore::read, org.value());
    }

    /** How to reach it, with its password. */
    public record Access(MailServer server, Smtp.Server smtp) {}

    public Optional<Access> access(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                "SELECT * FROM mail_servers WHERE org_id = ?",
                row -> access(read(row), row.textOrNull("password"), org),
                org.value());
    }

    private Access access(MailServer server, @Nullable String sealed, OrgId org) {
        String user = server.user();
        Optional<Smtp.Login> login =
                user == null
                        ? Optional.empty()
                        : Optional.of(
                                new Smtp.Login(
                                        user,
                                        sealed == null
                                                ? ""
                                                : secrets.open(
                                                        sealed, MailServer.label(org.value()))));
        return new Access(
                server, new Smtp.Server(server.host(), server.port(), server.security(), login));
    }

    private static MailServer read(ResultRow row) {
        return new MailServer(
                row.text("host"),
                (int) row.number("port"),
                Smtp.Security.valueOf(row.text("security").toUpperCase(Locale.ROOT)),
                row.textOrNull("username"),
                row.text("sender"),
                row.time("updated_at"));
    }
}
