package dev.skep.directory.enrolment;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/** Everything by which a hub admits hosts. */
public record HostAcceptor(
        ChallengeIssuer challenges,
        Enrolment enrolment,
        HostTokenService connecting,
        HostService hosts,
        LinkTokens tokens,
        ConnectedHosts links) {

    /**
     * The acceptor of hosts for this hub's database.
     *
     * @param steady what challenges, tokens and links expire by
     * @param sharedKey the configured HUB_ACCESS_KEY
     */
    public static HostAcceptor of(
            Database database,
            LocalHost hub,
            UlidSource ids,
            InstantSource clock,
            InstantSource steady,
            SecureRandom random,
            EventBus eventBus,
            AuditStore audit,
            ApiKeyStore keys,
            Optional<String> sharedKey) {
        HostKeyStore hostKeys = new HostKeyStore(ids, clock);
        HostAddressStore addresses = new HostAddressStore(clock);
        HostKeyCache hostKeyCache = new HostKeyCache(database, hostKeys, clock, steady);
        ChallengeIssuer challengeIssuer = new ChallengeIssuer(steady, random);
        ChallengeVerifier challengeVerifier =
                new ChallengeVerifier(hub.id().value(), challengeIssuer, clock);
        PairingCodeStore codes =
                new PairingCodeStore(clock, steady, new SecretGenerator(random), audit);
        LinkTokens tokens = new LinkTokens(hub, hostKeyCache, steady);
        return new HostAcceptor(
                challengeIssuer,
                new Enrolment(
                        database,
                        clock,
                        eventBus,
                        challengeVerifier,
                        hostKeys,
                        addresses,
                        codes,
                        keys,
                        audit,
                        sharedKey),
                new HostTokenService(
                        database,
                        clock,
                        challengeVerifier,
                        hostKeys,
                        addresses,
                        hostKeyCache,
                        tokens,
                        audit),
                new HostService(database, clock, eventBus, hostKeys, codes, hostKeyCache, audit),
                tokens,
                ConnectedHosts.on(database, ids, steady));
    }
}
