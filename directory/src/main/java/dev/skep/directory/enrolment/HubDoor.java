package dev.skep.directory.enrolment;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.key.KeyStore;
import dev.skep.directory.secret.Secrets;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/** Everything a hub lets hosts in with, put together. */
public record HubDoor(
        Challenges challenges,
        Enrolment enrolment,
        Connecting connecting,
        Hosts hosts,
        LinkTokens tokens,
        LiveLinks links) {

    /**
     * The door of this hub's database.
     *
     * @param steady what challenges, tokens and links expire by
     * @param sharedKey the configured HUB_ACCESS_KEY
     */
    public static HubDoor of(
            Database database,
            LocalHost hub,
            UlidSource ids,
            InstantSource clock,
            InstantSource steady,
            SecureRandom random,
            EventBus eventBus,
            AuditStore audit,
            KeyStore keys,
            Optional<String> sharedKey) {
        HostKeyStore hostKeys = new HostKeyStore(ids, clock);
        HostAddressStore addresses = new HostAddressStore(clock);
        HostStanding standing = new HostStanding(database, hostKeys, clock, steady);
        Challenges challenges = new Challenges(steady, random);
        Proof proof = new Proof(hub.id().value(), challenges, clock);
        PairingCodeStore codes = new PairingCodeStore(clock, steady, new Secrets(random), audit);
        LinkTokens tokens = new LinkTokens(hub, standing, steady);
        return new HubDoor(
                challenges,
                new Enrolment(
                        database, clock, eventBus, proof, hostKeys, addresses, codes, keys, audit,
                        sharedKey),
                new Connecting(
                        database, clock, proof, hostKeys, addresses, standing, tokens, audit),
                new Hosts(database, clock, eventBus, hostKeys, codes, standing, audit),
                tokens,
                LiveLinks.on(database, ids, steady));
    }
}
