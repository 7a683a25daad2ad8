package dev.skep.directory.operator;

import dev.skep.directory.secret.SecretDigest;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.identity.Role;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.transport.route.Credentials;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sessions and one-use links in the table {@code credentials}. Thread-safe. */
public final class OperatorSessionStore {
    public static final Duration SESSION = Duration.ofDays(7);
    public static final Duration LINK = Duration.ofHours(1);
    private static final Duration NOTED_EVERY = Duration.ofMinutes(1);

    private final UlidSource ids;
    private final InstantSource clock;
    private final InstantSource steady;
    private final SecretGenerator secretGenerator;

    /**
     * With secrets of their own.
     *
     * @param steady what they expire by
     */
    public OperatorSessionStore(
            UlidSource ids,
            InstantSource clock,
            InstantSource steady,
            SecretGenerator secretGenerator) {
        this.ids = ids;
        this.clock = clock;
        this.steady = steady;
        this.secretGenerator = secretGenerator;
    }

    /** The secret of a session: a browser's is in its cookie, a command sends it as a bearer. */
    public static Optional<String> secretIn(Credentials credentials) {
        return credentials.bearer().isPresent()
                ? credentials.bearer().filter(OperatorSessionStore::isSecret)
                : credentials.session();
    }

    public static boolean isSecret(String bearer) {
        return bearer.startsWith("skep_session_");
    }

    /**
     * Where a session was opened, as far as is known.
     *
     * @param client what opened it, in its own words: a browser, a command
     */
    record OpenedFrom(String address, Optional<String> client) {}

    /**
     * Opens a session and returns its secret.
     *
     * @param oneOrg whether it speaks for this operator only, whatever other orgs the person is in
     */
    String open(
            Transaction transaction,
            Operator operator,
            OpenedFrom from,
            boolean oneOrg,
            String by) {
        String secret = add(transaction, operator, "session", SESSION, by);
        transaction.update(
                "UPDATE credentials SET address = ?, client = ?, one_org = ?, used_at = ? WHERE"
                        + " secret_hash = ?",
                from.address(),
                from.client().orElse(null),
                oneOrg ? 1 : 0,
                clock.instant(),
                SecretDigest.sha256(secret));
        return secret;
    }

    /** Makes a one-use link; one made before stops working. */
    String link(Transaction transaction, Operator operator, String by) {
        revoke(transaction, operator, "sign_in_link");
        return add(transaction, operator, "sign_in_link", LINK, by);
    }

    private String add(
            Transaction transaction, Operator operator, String kind, Duration life, String by) {
        String secret =
                kind.equals("session")
                        ? secretGenerator.key("session")
                        : secretGenerator.key("signin");
        transaction.update(
                """
                INSERT INTO credentials (id, org_id, kind, subject, label, secret_hash, created_by, created_at, expires_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)\
                """,
                ids.next(),
                operator.org(),
                kind,
                operator.id(),
                operator.username(),
                SecretDigest.sha256(secret),
                by,
                clock.instant(),
                steady.instant().plus(life));
        return secret;
    }

    /** Whose link this is, and whether the command line of the hub made it. */
    record LinkHolder(Operator operator, boolean madeHere) {}

    /** Whose link this is, if it may still be used. */
    Optional<LinkHolder> holderOfLink(Snapshot snapshot, String secret) {
        return snapshot.first(
                OperatorStore.SELECTED
                        + ", c.created_by FROM credentials c JOIN operators o ON o.id = c.subject"
                        + " AND o.org_id = c.org_id"
                        + OperatorStore.PERSON
                        + """
                        WHERE c.secret_hash = ? AND c.kind = 'sign_in_link' AND c.used_at IS NULL
                            AND c.revoked_at IS NULL AND c.expires_at > ? AND o.disabled_at IS NULL\
                        """,
                row ->
                        new LinkHolder(
                                OperatorStore.read(row), row.text("created_by").equals("local")),
                SecretDigest.sha256(secret),
                steady.instant());
    }

    /** Uses up a link, so that it works only once; false if somebody else was faster. */
    boolean useLink(Transaction transaction, String secret) {
        return transaction.update(
                        """
                        UPDATE credentials SET used_at = ? WHERE secret_hash = ? AND kind = 'sign_in_link'
                            AND used_at IS NULL AND revoked_at IS NULL AND expires_at > ?\
                        """,
                        clock.instant(),
                        SecretDigest.sha256(secret),
                        steady.instant())
                > 0;
    }

    /**
     * A live session.
     *
     * @param operator whom it speaks for unless a path names another of the person's orgs
     * @param person the operator that keeps what the person signs in with
     * @param oneOrg whether it speaks for this operator only
     */
    record Session(String id, Operator operator, String person, boolean oneOrg) {}

    /** The session with this secret, if it lives and its operator is enabled. */
    Optional<Session> find(Snapshot snapshot, String secret) {
        return snapshot.first(
                OperatorStore.SELECTED
                        + """
                        , c.id AS session, c.one_org
                        FROM credentials c JOIN operators o ON o.id = c.subject AND o.org_id = c.org_id\
                        """
                        + OperatorStore.PERSON
                        + """
                        WHERE c.secret_hash = ? AND c.kind = 'session' AND c.revoked_at IS NULL
                            AND c.expires_at > ? AND o.disabled_at IS NULL\
                        """,
                row ->
                        new Session(
                                row.text("session"),
                                OperatorStore.read(row),
                                row.text("person"),
                                isOneOrg(row)),
                SecretDigest.sha256(secret),
                steady.instant());
    }

    /** Who calls with a session: what each request needs to know, and no more. */
    public record SessionCaller(String id, Principal.Operator principal, Instant usedAt) {}

    private record Speaker(SessionCaller caller, String person, boolean oneOrg) {}

    /**
     * Whom the session with this secret speaks for, if it lives and its operator is enabled.
     *
     * @param org what a path names; if the person is enabled there, they call as who they are there
     */
    public Optional<SessionCaller> caller(Snapshot snapshot, String secret, Optional<OrgId> org) {
        return snapshot.first(
                        """
                        SELECT c.id AS session, c.one_org, coalesce(c.used_at, c.created_at) AS used,
                            o.id, o.org_id, o.role, coalesce(o.person_id, o.id) AS person
                        FROM credentials c JOIN operators o ON o.id = c.subject AND o.org_id = c.org_id
                        WHERE c.secret_hash = ? AND c.kind = 'session' AND c.revoked_at IS NULL
                            AND c.expires_at > ? AND o.disabled_at IS NULL\
                        """,
                        row ->
                                new Speaker(
                                        new SessionCaller(
                                                row.text("session"),
                                                principal(row),
                                                row.time("used")),
                                        row.text("person"),
                                        isOneOrg(row)),
                        SecretDigest.sha256(secret),
                        steady.instant())
                .map(
                        speaker ->
                                org.filter(named -> !speaker.oneOrg())
                                        .filter(
                                                named ->
                                                        !named.equals(
                                                                speaker.caller().principal().org()))
                                        .flatMap(named -> in(snapshot, speaker, named))
                                        .orElse(speaker.caller()));
    }

    /** Each half has an index; an OR over both would read all operators of the org. */
    private static Optional<SessionCaller> in(Snapshot snapshot, Speaker speaker, OrgId org) {
        return snapshot.first(
                """
                SELECT id, org_id, role FROM operators WHERE person_id = ? AND org_id = ? AND disabled_at IS NULL
                UNION ALL
                SELECT id, org_id, role FROM operators WHERE id = ? AND org_id = ? AND disabled_at IS NULL\
                """,
                row ->
                        new SessionCaller(
                                speaker.caller().id(), principal(row), speaker.caller().usedAt()),
                speaker.person(),
                org.value(),
                speaker.person(),
                org.value());
    }

    private static Principal.Operator principal(ResultRow row) {
        return new Principal.Operator(
                new OrgId(row.text("org_id")),
                new OperatorId(row.text("id")),
                Role.valueOf(row.text("role")));
    }

    private static boolean isOneOrg(ResultRow row) {
        return Long.valueOf(1).equals(row.numberOrNull("one_org"));
    }

    /** Whether its last use was noted so recently that it need not be noted again. */
    public boolean isNoted(SessionCaller caller) {
        return caller.usedAt().plus(NOTED_EVERY).isAfter(clock.instant());
    }

    /** Notes that a session is in use. */
    public void note(Transaction transaction, SessionCaller caller) {
        transaction.update(
                "UPDATE credentials SET used_at = ? WHERE id = ?", clock.instant(), caller.id());
    }

    /** From now on the session speaks for this operator of the same person. */
    void turnTo(Transaction transaction, Session session, Operator operator) {
        transaction.update(
                "UPDATE credentials SET subject = ?, org_id = ?, label = ? WHERE id = ?",
                operator.id(),
                operator.org(),
                operator.username(),
                session.id());
    }

    /** A session as people see it in a list; never its secret. */
    public record SignInView(
            String id,
            String operator,
            String org,
            @Nullable String address,
            @Nullable String client,
            Instant createdAt,
            Instant usedAt) {}

    /** The live sessions of these operators, the newest first. */
    List<SignInView> open(Snapshot snapshot, List<Operator> operators) {
        List<SignInView> all = new ArrayList<>();
        for (Operator operator : operators) {
            all.addAll(
                    snapshot.list(
                            """
                            SELECT id, subject, org_id, address, client, created_at,
                                coalesce(used_at, created_at) AS used
                            FROM credentials WHERE org_id = ? AND kind = 'session' AND subject = ?
                                AND revoked_at IS NULL AND expires_at > ?\
                            """,
                            row ->
                                    new SignInView(
                                            row.text("id"),
                                            row.text("subject"),
                                            row.text("org_id"),
                                            row.textOrNull("address"),
                                            row.textOrNull("client"),
                                            row.time("created_at"),
                                            row.time("used")),
                            operator.org(),
                            operator.id(),
                            steady.instant()));
        }
        all.sort(Comparator.comparing(SignInView::createdAt).reversed());
        return all;
    }

    /** Ends a session of one of these operators; false if none of theirs has this id. */
    boolean end(Transaction transaction, List<Operator> operators, String id) {
        int ended = 0;
        for (Operator operator : operators) {
            ended +=
                    transaction.update(
                            """
                            UPDATE credentials SET revoked_at = ?
                            WHERE id = ? AND org_id = ? AND kind = 'session' AND subject = ?
                                AND revoked_at IS NULL\
                            """,
                            clock.instant(),
                            id,
                            operator.org(),
                            operator.id());
        }
        return ended > 0;
    }

    void close(Transaction transaction, String secret) {
        transaction.update(
                "UPDATE credentials SET revoked_at = ? WHERE secret_hash = ? AND kind = 'session'",
                clock.instant(),
                SecretDigest.sha256(secret));
    }

    /** Ends all sessions and links of this operator; not those for the person's other orgs. */
    void closeAll(Transaction transaction, Operator operator) {
        revoke(transaction, operator, "session");
        revoke(transaction, operator, "sign_in_link");
    }

    private void revoke(Transaction transaction, Operator operator, String kind) {
        transaction.update(
                """
                UPDATE credentials SET revoked_at = ?
                WHERE org_id = ? AND kind = ? AND subject = ? AND revoked_at IS NULL\
                """,
                clock.instant(),
                operator.org(),
                kind,
                operator.id());
    }

    /** Removes what expired more than a session's life ago. */
    int purge(Transaction transaction) {
        return transaction.update(
                "DELETE FROM credentials WHERE kind IN ('session', 'sign_in_link') AND expires_at <"
                        + " ?",
                steady.instant().minus(SESSION));
    }
}
