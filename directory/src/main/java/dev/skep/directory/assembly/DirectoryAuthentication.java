package dev.skep.directory.assembly;

import dev.skep.directory.enrolment.HubDoor;
import dev.skep.directory.enrolment.LinkClaims;
import dev.skep.directory.key.Key;
import dev.skep.directory.key.KeyKind;
import dev.skep.directory.key.KeyStore;
import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.Operators;
import dev.skep.directory.operator.SessionStore;
import dev.skep.directory.org.OrgStore;
import dev.skep.directory.org.Orgs;
import dev.skep.directory.secret.Digests;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.transport.route.Authenticator;
import dev.skep.transport.route.Credentials;
import java.util.Optional;

/** Makes principals out of tokens, keys and sessions. Thread-safe. */
public final class DirectoryAuthentication implements Authenticator {
    private final Database database;
    private final OrgStore orgs;
    private final SessionStore sessions;
    private final KeyStore keys;
    private final Operators operators;
    private final HubDoor door;
    private final Optional<String> adminSecret;

    DirectoryAuthentication(
            Database database,
            OrgStore orgs,
            SessionStore sessions,
            KeyStore keys,
            Operators operators,
            HubDoor door,
            Optional<String> adminSecret) {
        this.database = database;
        this.orgs = orgs;
        this.sessions = sessions;
        this.keys = keys;
        this.operators = operators;
        this.door = door;
        this.adminSecret = adminSecret;
    }

    @Override
    public Optional<Principal> principalOf(Credentials credentials) {
        if (credentials.bearer().isPresent()) {
            return Optional.of(ofBearer(credentials.bearer().get(), credentials.loopback()));
        }
        return credentials.session().map(this::ofSession);
    }

    private Principal ofBearer(String bearer, boolean loopback) {
        // A JWT's header is a JSON object, so its base64 starts with that of '{"'.
        if (bearer.startsWith("eyJ")) {
            LinkClaims claims = door.tokens().verify(bearer);
            door.links().refuseCopy(claims);
            return claims.principal();
        }
        boolean admin =
                loopback && adminSecret.filter(secret -> Digests.same(secret, bearer)).isPresent();
        if (admin) {
            return new Principal.Local(Orgs.DEFAULT);
        }
        Optional<Key> api = database.read(s -> keys.usable(s, KeyKind.API_KEY, bearer));
        if (api.isPresent()) {
            return ofOperatorsKey(api.get());
        }
        Key key =
                database.read(s -> keys.usable(s, KeyKind.AGENT_KEY, bearer))
                        .orElseThrow(DirectoryAuthentication::unknown);
        return new Principal.Agent(
                new OrgId(key.org()),
                new AgentId(key.subject()),
                new HostId(String.valueOf(key.hostId())));
    }

    /** With the role the operator has now; a disabled one's keys open nothing. */
    private Principal ofOperatorsKey(Key key) {
        OrgId org = new OrgId(key.org());
        Operator operator = operators.find(new Principal.Local(org), key.subject());
        if (operator.disabledAt() != null) {
            throw unknown();
        }
        return operator.principal();
    }

    private static SkepException unknown() {
        return new SkepException(
                ErrorCode.UNAUTHENTICATED,
                "this key is unknown, expired or revoked; ask an admin for a new one");
    }

    private Principal ofSession(String secret) {
        return database.read(s -> sessions.operatorOf(s, secret))
                .map(Operator::principal)
                .orElseThrow(
                        () ->
                                new SkepException(
                                        ErrorCode.UNAUTHENTICATED,
                                        "you are signed out; sign in again"));
    }

    @Override
    public boolean isOrg(OrgId org) {
        return database.read(s -> orgs.exists(s, org));
    }
}
