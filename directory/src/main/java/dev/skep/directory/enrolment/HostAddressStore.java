package dev.skep.directory.enrolment;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The table {@code host_addresses}: by which addresses hosts have proven themselves here. A hub
 * that passes on what a host signed for another passes on its own address with it, and is caught by
 * that. An address that this hub cannot know (a forwarded port) counts for a host if it is the
 * first it ever signed, or came with a pairing code. Thread-safe.
 */
final class HostAddressStore {
    private final InstantSource clock;

    HostAddressStore(InstantSource clock) {
        this.clock = clock;
    }

    /** Checks what an enrolled host dialled, and remembers the first. */
    void check(Database database, EnrolledKey key, HostClaim claim) {
        if (database.read(s -> isFirst(s, key.host(), claim))) {
            database.write(
                    transaction -> {
                        check(transaction, key.org(), key.host(), claim);
                        return true;
                    });
        }
    }

    void check(Transaction transaction, OrgId org, HostId host, HostClaim claim) {
        if (isFirst(transaction, host, claim)) {
            learn(transaction, org, host, claim.statement().address());
        }
    }

    /** Takes what an admin's pairing code came with. */
    void vouched(Transaction transaction, OrgId org, HostId host, HostClaim claim) {
        Optional<String> dialled = claim.statement().address();
        if (dialled.isEmpty()) {
            // The host runs an earlier version again, and an admin has approved that with the code.
            transaction.update("DELETE FROM host_addresses WHERE host_id = ?", host.value());
        }
        learn(transaction, org, host, dialled);
    }

    private void learn(Transaction transaction, OrgId org, HostId host, Optional<String> address) {
        address.ifPresent(
                dialled ->
                        transaction.update(
                                """
                                INSERT INTO host_addresses (host_id, address, org_id, learned_at)
                                VALUES (?, ?, ?, ?) ON CONFLICT (host_id, address) DO NOTHING""",
                                host.value(),
                                dialled,
                                org.value(),
                                clock.instant()));
    }

    /** Throws for an address that is not ours; true for the first a host signs. */
    private static boolean isFirst(Snapshot snapshot, HostId host, HostClaim claim) {
        Optional<String> dialled = claim.statement().address();
        List<String> known =
                snapshot.list(
                        "SELECT address FROM host_addresses WHERE host_id = ?",
                        row -> row.text("address"),
                        host.value());
        if (known.isEmpty()) {
            return dialled.isPresent();
        }
        String address =
                dialled.orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.WRONG_SIGNATURE,
                                        "host %s signs the address it dials, and this has none; if it is back at an earlier version, enrol it again with: skep enrol URL --code CODE"
                                                .formatted(host)));
        if (!claim.atOwnAddress() && !known.contains(address)) {
            throw new SkepException(
                    ErrorCode.HOST_NOT_ALLOWED,
                    "this hub does not know that it is reached at %s; if it is, start it with --names or --public-url, or enrol the host there with a pairing code"
                            .formatted(address));
        }
        return false;
    }
}
