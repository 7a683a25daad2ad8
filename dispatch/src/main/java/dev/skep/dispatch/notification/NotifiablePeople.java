package dev.skep.dispatch.notification;

import dev.skep.directory.operator.Operator;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Snapshot;
import java.util.List;
import java.util.Optional;

/** Who may be told something; a person who is locked out is told nothing. */
public interface NotifiablePeople {
    /** By id or name; not those who are locked out. */
    Optional<Operator> find(Snapshot snapshot, OrgId org, String idOrName);

    List<Operator> all(Snapshot snapshot, OrgId org);
}
