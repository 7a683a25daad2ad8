package dev.skep.app.assembly;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.key.Key;
import dev.skep.directory.key.KeyKind;
import dev.skep.directory.key.KeyStore;
import dev.skep.directory.secret.Secrets;
import dev.skep.kernel.id.OrgId;
import dev.skep.registry.routes.Visitor;
import dev.skep.store.Database;
import java.security.SecureRandom;
import java.util.Optional;

/** Registry tokens of a database's orgs. */
final class RegistryTokens {
    private final Database database;
    private final KeyStore keys;

    RegistryTokens(HostProcess process) {
        this.database = process.database();
        this.keys =
                new KeyStore(
                        process.ids(),
                        SystemTime.clock(),
                        new Secrets(new SecureRandom()),
                        new AuditStore(process.ids(), SystemTime.clock()));
    }

    Optional<Visitor> visitorOf(String token) {
        return token.isEmpty()
                ? Optional.empty()
                : database.read(snapshot -> keys.usable(snapshot, KeyKind.REGISTRY_TOKEN, token))
                        .map(Key::org)
                        .map(org -> new Visitor(new OrgId(org), false, false));
    }
}
