package dev.skep.directory.operator;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The table {@code operators}. Thread-safe. */
public final class OperatorStore {
    /** An operator {@code o} with what its person {@code p} keeps, which may be itself. */
    static final String SELECTED =
            """
            SELECT o.id, o.org_id, o.username, o.role, o.signed_in_at, o.disabled_at, o.created_at, o.managed_by,
                p.id AS person, p.password_hash,
                (SELECT count(*) FROM second_factors f
                    WHERE f.operator_id = p.id AND f.confirmed_at IS NOT NULL) AS factors
            """;

    static final String PERSON = " JOIN operators p ON p.id = coalesce(o.person_id, o.id) ";
    private static final String FROM = SELECTED + "FROM operators o" + PERSON;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,62}");

    private final UlidSource ids;
    private final InstantSource clock;
    private final AuditStore audit;

    public OperatorStore(UlidSource ids, InstantSource clock, AuditStore audit) {
        this.ids = ids;
        this.clock = clock;
        this.audit = audit;
    }

    public Operator add(Transaction transaction, Actor actor, String username, Role role) {
        if (!NAME.matcher(username).matches()) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "that is not a user name; use up to 63 letters, digits and . _ @ -");
        }
        String id = ids.next();
        int added =
                transaction.update(
                        """
                        INSERT INTO operators (id, org_id, username, role, created_at, updated_at)
                        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (org_id, username) DO NOTHING\
                        """,
                        id,
                        actor.org().value(),
                        username,
                        role.name(),
                        clock.instant(),
                        clock.instant());
        if (added == 0) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "there is an operator %s already; choose another name".formatted(username));
        }
        audit.record(
                transaction,
                actor,
                "operator_added",
                "operator:" + id,
                Map.of("username", username, "role", role.name()));
        return find(transaction, actor.principal(), id).orElseThrow();
    }

    public List<Operator> all(Snapshot snapshot, Principal principal) {
        return snapshot.list(
                FROM + "WHERE o.org_id = ? ORDER BY o.username",
                OperatorStore::read,
                principal.org().value());
    }

    /** By id or, for people at a terminal, by name. */
    public Optional<Operator> find(Snapshot snapshot, Principal principal, String idOrName) {
        return snapshot.first(
                FROM + "WHERE o.org_id = ? AND (o.id = ? OR o.username = ?)",
                OperatorStore::read,
                principal.org().value(),
                idOrName,
                idOrName);
    }

    static Optional<String> username(Snapshot snapshot, Principal.Operator operator) {
        return snapshot.first(
                "SELECT username FROM operators WHERE org_id = ? AND id = ?",
                row -> row.text("username"),
                operator.org().value(),
                operator.id().value());
    }

    /** An operator who wants to sign in, with the hash to check; not authenticated yet. */
    Optional<Candidate> candidate(Snapshot snapshot, OrgId org, String username) {
        return snapshot.first(
                FROM + "WHERE o.org_id = ? AND o.username = ?",
                row ->
                        new Candidate(
                                read(row),
                                row.text("person"),
                                Optional.ofNullable(row.textOrNull("password_hash"))),
                org.value(),
                username);
    }

    /** Found by name; the hash is that of their person, who may be an operator of another org. */
    record Candidate(Operator operator, String person, Optional<String> passwordHash) {
        @Override
        public String toString() {
            return operator.toString();
        }
    }

    /** Whether any operator has ever signed in to this database. */
    boolean anybodySignedIn(Snapshot snapshot) {
        return snapshot.first("SELECT 1 FROM operators WHERE signed_in_at IS NOT NULL", row -> true)
                .isPresent();
    }

    void signedIn(Transaction transaction, Operator operator) {
        transaction.update(
                "UPDATE operators SET signed_in_at = ? WHERE id = ?",
                clock.instant(),
                operator.id());
    }

    void disable(Transaction transaction, Actor actor, Operator operator) {
        transaction.update(
                """
                UPDATE operators SET disabled_at = coalesce(disabled_at, ?), disabled_by = NULL, updated_at = ?
                WHERE id = ? AND org_id = ?\
                """,
                clock.instant(),
                clock.instant(),
                operator.id(),
                actor.org().value());
        audit(transaction, actor, "operator_disabled", operator);
    }

    void enable(Transaction transaction, Actor actor, Operator operator) {
        transaction.update(
                """
                UPDATE operators SET disabled_at = NULL, disabled_by = NULL, updated_at = ?
                WHERE id = ? AND org_id = ?\
                """,
                clock.instant(),
                operator.id(),
                actor.org().value());
        audit(transaction, actor, "operator_enabled", operator);
    }

    void setRole(Transaction transaction, Actor actor, Operator operator, Role role) {
        transaction.update(
                "UPDATE operators SET role = ?, updated_at = ? WHERE id = ? AND org_id = ?",
                role.name(),
                clock.instant(),
                operator.id(),
                actor.org().value());
        audit.record(
                transaction,
                actor,
                "operator_role_changed",
                "operator:" + operator.id(),
                Map.of("role", role.name()));
    }

    /**
     * Sets the hash of the person's new password, or none, which leaves the one-use link only. The
     * entry is in the log of the caller's org.
     */
    void setPassword(
            Transaction transaction, Actor actor, Operator operator, Optional<String> hash) {
        transaction.update(
                "UPDATE operators SET password_hash = ?, updated_at = ? WHERE id = ?",
                hash.orElse(null),
                clock.instant(),
                personOf(transaction, operator));
        audit(
                transaction,
                actor,
                hash.isPresent() ? "operator_password_set" : "operator_reset",
                operator);
    }

    /** The operator that keeps what proves who this one is; itself for most. */
    String personOf(Snapshot snapshot, Operator operator) {
        return operator.signsInElsewhere()
                ? snapshot.first(
                                "SELECT coalesce(person_id, id) FROM operators WHERE id = ?",
                                row -> row.text(1),
                                operator.id())
                        .orElseThrow()
                : operator.id();
    }

    /** A person's operators, one in each of their orgs. */
    List<Operator> ofPerson(Snapshot snapshot, String person) {
        return snapshot.list(
                FROM + "WHERE o.id = ? OR o.person_id = ? ORDER BY o.org_id",
                OperatorStore::read,
                person,
                person);
    }

    /** A person's operator in an org. */
    Optional<Operator> ofPerson(Snapshot snapshot, String person, OrgId org) {
        // Each half has an index; an OR over both would read all operators of the org.
        return snapshot.first(
                FROM
                        + """
                        WHERE o.id = (
                            SELECT id FROM operators WHERE person_id = ? AND org_id = ?
                            UNION ALL SELECT id FROM operators WHERE id = ? AND org_id = ?)\
                        """,
                OperatorStore::read,
                person,
                org.value(),
                person,
                org.value());
    }

    /** From now on this operator is the person's; what it had of its own to sign in is gone. */
    void join(Transaction transaction, Operator operator, String person) {
        transaction.update(
                "UPDATE operators SET person_id = ?, password_hash = NULL, updated_at = ? WHERE id"
                        + " = ?",
                person,
                clock.instant(),
                operator.id());
    }

    /** This operator becomes a person of its own, with nothing to sign in by. */
    void separate(Transaction transaction, Operator operator) {
        transaction.update(
                "UPDATE operators SET person_id = NULL, managed_by = NULL, updated_at = ? WHERE id"
                        + " = ?",
                clock.instant(),
                operator.id());
    }

    /** A provider's groups decide about this operator from now on. */
    void manage(Transaction transaction, Operator operator, String provider) {
        transaction.update(
                "UPDATE operators SET managed_by = ? WHERE id = ?", provider, operator.id());
    }

    /** Disables it because the provider's groups are gone; they can enable it again. */
    void disableBy(Transaction transaction, Actor actor, Operator operator, String provider) {
        disable(transaction, actor, operator);
        transaction.update(
                "UPDATE operators SET disabled_by = ? WHERE id = ?", provider, operator.id());
    }

    boolean isDisabledBy(Snapshot snapshot, Operator operator, String provider) {
        return snapshot.first(
                        "SELECT 1 FROM operators WHERE id = ? AND disabled_by = ?",
                        row -> true,
                        operator.id(),
                        provider)
                .isPresent();
    }

    private void audit(Transaction transaction, Actor actor, String action, Operator operator) {
        audit.record(transaction, actor, action, "operator:" + operator.id(), Map.of());
    }

    static Operator read(ResultRow row) {
        return new Operator(
                row.text("id"),
                row.text("org_id"),
                row.text("username"),
                Role.valueOf(row.text("role")),
                row.textOrNull("password_hash") != null,
                row.timeOrNull("signed_in_at"),
                row.timeOrNull("disabled_at"),
                row.time("created_at"),
                row.flag("factors"),
                !row.text("person").equals(row.text("id")),
                row.textOrNull("managed_by"));
    }
}
