package dev.skep.directory.org;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The table {@code orgs}; only the process itself and its command line see more than their own. */
public final class OrgStore {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");

    public void add(
            Transaction transaction, Principal.Local by, String id, String name, Instant now) {
        if (!ID.matcher(id).matches()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "'%s' is not a name for an org; use up to 40 lower-case letters, digits and dashes"
                            .formatted(id));
        }
        int added =
                transaction.update(
                        "INSERT INTO orgs (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                        id,
                        name,
                        now);
        if (added == 0) {
            throw new SkepException(ErrorCode.CONFLICT, "there is an org %s already".formatted(id));
        }
    }

    public List<Org> all(Snapshot snapshot, Principal.Local by) {
        return snapshot.list("SELECT id, name, created_at FROM orgs ORDER BY id", OrgStore::org);
    }

    private static Org org(ResultRow row) {
        return new Org(row.text("id"), row.text("name"), row.time("created_at"));
    }

    public Optional<Org> find(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                "SELECT id, name, created_at FROM orgs WHERE id = ?", OrgStore::org, org.value());
    }

    public boolean exists(Snapshot snapshot, OrgId org) {
        return snapshot.first("SELECT 1 FROM orgs WHERE id = ?", row -> true, org.value())
                .isPresent();
    }
}
