package dev.skep.directory.enrolment;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The table {@code linked_hosts}: which process of this hub holds a host's link, for the others on
 * the same database. Entries that are not renewed expire, so those of a dead process do.
 */
final class LinkedHostStore {
    /** Renewed about three times as often. */
    static final Duration LEASE = Duration.ofSeconds(30);

    private final Database database;
    private final InstantSource clock;
    private final String process;

    LinkedHostStore(Database database, InstantSource clock, String process) {
        this.database = database;
        this.clock = clock;
        this.process = process;
    }

    /** Takes the host's row; false if a link from another place has it. */
    boolean claim(LinkClaims claims, String lease, String url) {
        Instant now = clock.instant();
        return database.write(
                        tx ->
                                tx.update(
                                        """
                                        INSERT INTO linked_hosts (host_id, org_id, place, process, url, lease, until)
                                        VALUES (?, ?, ?, ?, ?, ?, ?)
                                        ON CONFLICT (host_id) DO UPDATE SET place = excluded.place,
                                            process = excluded.process, url = excluded.url,
                                            lease = excluded.lease, until = excluded.until
                                        WHERE linked_hosts.place = excluded.place OR linked_hosts.until < ?
                                        """,
                                        claims.host().value(),
                                        claims.org().value(),
                                        claims.place(),
                                        process,
                                        url,
                                        lease,
                                        now.plus(LEASE),
                                        now))
                > 0;
    }

    void release(HostId host, String lease) {
        database.write(
                tx ->
                        tx.update(
                                "DELETE FROM linked_hosts WHERE host_id = ? AND lease = ?",
                                host.value(),
                                lease));
    }

    /** All that this process holds, for another while. */
    void renew() {
        database.write(
                tx ->
                        tx.update(
                                "UPDATE linked_hosts SET until = ? WHERE process = ?",
                                clock.instant().plus(LEASE),
                                process));
    }

    /** A host and the place its link comes from. */
    record Linked(Principal.Host host, String place) {}

    /** The hosts whose links other processes hold. */
    List<Linked> heldByOtherProcesses() {
        return database.read(
                db ->
                        db.list(
                                "SELECT org_id, host_id, place FROM linked_hosts WHERE process <> ? AND until >= ?",
                                row ->
                                        new Linked(
                                                new Principal.Host(
                                                        new OrgId(row.text("org_id")),
                                                        new HostId(row.text("host_id"))),
                                                row.text("place")),
                                process,
                                clock.instant()));
    }

    /** Where people reach the process that holds a host's link, if it is another. */
    Optional<String> url(HostId host) {
        return database.read(
                db ->
                        db.first(
                                """
                                SELECT url FROM linked_hosts
                                WHERE host_id = ? AND process <> ? AND until >= ?
                                """,
                                row -> row.text("url"),
                                host.value(),
                                process,
                                clock.instant()));
    }
}
