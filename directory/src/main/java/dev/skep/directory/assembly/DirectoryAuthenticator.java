package dev.skep.directory.assembly;

import dev.skep.directory.enrolment.HostAcceptor;
import dev.skep.directory.enrolment.LinkClaims;
import dev.skep.directory.key.ApiKey;
import dev.skep.directory.key.ApiKeyKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorService;
import dev.skep.directory.operator.OperatorSessionStore;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.directory.org.OrgStore;
import dev.skep.directory.secret.SecretDigest;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes principals out of tokens, keys and sessions. Thread-safe. */
public final class DirectoryAuthenticator implements Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryAuthenticator.class);

    private final Database database;
    private final OrgStore orgs;
    private final OperatorSessionStore sessions;
    private final ApiKeyStore keys;
    private final OperatorService operatorService;
    private final HostAcceptor hostAcceptor;
    private final Optional<String> adminSecret;

    DirectoryAuthenticator(
            Database database,
            OrgStore orgs,
            OperatorSessionStore sessions,
            ApiKeyStore keys,
            OperatorService operatorService,
            HostAcceptor hostAcceptor,
            Optional<String> adminSecret) {
        this.database = database;
        this.orgs = orgs;
        this.sessions = sessions;
        this.keys = keys;
        this.operatorService = operatorService;
        this.hostAcceptor = hostAcceptor;
        this.adminSecret = adminSecret;
    }

    @Override
    public Optional<Principal> principalOf(Credentials credentials) {
        if (credentials.bearer().isPresent()) {
            return Optional.of(ofBearer(credentials.bearer().get(), credentials.loopback()));
        }
        return credentials.session().map(secret -> ofSession(secret, Optional.empty()));
    }

    /** A person who signed in once may act in each of their orgs; a key in its own only. */
    @Override
    public Optional<Principal> principalOf(Credentials credentials, OrgId org) {
        Optional<String> session = OperatorSessionStore.secretIn(credentials);
        return session.isPresent()
                ? Optional.of(ofSession(session.get(), Optional.of(org)))
                : principalOf(credentials);
    }

    private Principal ofBearer(String bearer, boolean loopback) {
        if (OperatorSessionStore.isSecret(bearer)) {
            return ofSession(bearer, Optional.empty());
        }
        // A JWT's header is a JSON object, so its base64 starts with that of '{"'.
        if (bearer.startsWith("eyJ")) {
            LinkClaims claims = hostAcceptor.tokens().verify(bearer);
            hostAcceptor.links().refuseClonedHost(claims);
            return claims.principal();
        }
        boolean admin =
                loopback
                        && adminSecret
                                .filter(secret -> SecretDigest.same(secret, bearer))
                                .isPresent();
        if (admin) {
            return new Principal.Local(DefaultOrg.DEFAULT);
        }
        Optional<ApiKey> api = database.read(s -> keys.usable(s, ApiKeyKind.API_KEY, bearer));
        if (api.isPresent()) {
            return ofOperatorsKey(api.get());
        }
        ApiKey key =
                database.read(s -> keys.usable(s, ApiKeyKind.AGENT_KEY, bearer))
                        .orElseThrow(DirectoryAuthenticator::unknown);
        return new Principal.Agent(
                new OrgId(key.org()),
                new AgentId(key.subject()),
                new HostId(String.valueOf(key.hostId())));
    }

    /** With the role the operator has now; a disabled one's keys open nothing. */
    private Principal ofOperatorsKey(ApiKey key) {
        OrgId org = new OrgId(key.org());
        Operator operator = operatorService.find(new Principal.Local(org), key.subject());
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

    /** In an org that is not the person's it is who the session speaks for, with no say there. */
    private Principal ofSession(String secret, Optional<OrgId> org) {
        OperatorSessionStore.SessionCaller caller =
                database.read(s -> sessions.caller(s, secret, org))
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.UNAUTHENTICATED,
                                                "you are signed out; sign in again"));
        if (!sessions.isNoted(caller)) {
            note(caller);
        }
        return caller.principal();
    }

    /** A database that takes no writes still lets people look. */
    private void note(OperatorSessionStore.SessionCaller caller) {
        try {
            database.write(
                    transaction -> {
                        sessions.note(transaction, caller);
                        return caller;
                    });
        } catch (SkepException e) {
            LOG.debug("the last use of a session was not noted", e);
        }
    }

    @Override
    public boolean isOrg(OrgId org) {
        return database.read(s -> orgs.exists(s, org));
    }
}
