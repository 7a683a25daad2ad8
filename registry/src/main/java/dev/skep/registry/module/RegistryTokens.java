package dev.skep.registry.module;

import dev.skep.directory.audit.AuditStore;
import dev.skep.directory.key.ApiKey;
import dev.skep.directory.key.ApiKeyKind;
import dev.skep.directory.key.ApiKeyStore;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.secret.SecretGenerator;
import dev.skep.kernel.id.OrgId;
import dev.skep.registry.routes.RegistryCaller;
import dev.skep.store.Database;
import java.security.SecureRandom;
import java.util.Optional;

/** Registry tokens of a database's orgs. */
final class RegistryTokens {
    private final Database database;
    private final ApiKeyStore keys;

    RegistryTokens(HostProcess process) {
        this.database = process.database();
        this.keys =
                new ApiKeyStore(
                        process.ids(),
                        process.clock(),
                        new SecretGenerator(new SecureRandom()),
                        new AuditStore(process.ids(), process.clock()));
    }

    Optional<RegistryCaller> callerOf(String token) {
        return token.isEmpty()
                ? Optional.empty()
                : database.read(snapshot -> keys.usable(snapshot, ApiKeyKind.REGISTRY_TOKEN, token))
                        .map(ApiKey::org)
                        .map(org -> new RegistryCaller(new OrgId(org), false, false));
    }
}
