package dev.skep.directory.oidc;

import dev.skep.directory.secret.PrivateFile;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The identity providers of {@code sign-in.json}, a file that only its owner may read. */
final class IdentityProviders {
    private IdentityProviders() {}

    /** Those of a file; none if there is no such file. */
    static List<IdentityProvider> read(Path file) {
        String text = new PrivateFile(file).read().orElse("");
        if (text.isBlank()) {
            return List.of();
        }
        try {
            List<IdentityProvider> providers =
                    JsonFields.of(text.getBytes(StandardCharsets.UTF_8))
                            .only("providers")
                            .list("providers")
                            .stream()
                            .map(IdentityProvider::read)
                            .toList();
            Set<String> ids = new HashSet<>();
            for (IdentityProvider each : providers) {
                if (!ids.add(each.id())) {
                    throw new SkepException(
                            ErrorCode.BAD_CONFIGURATION,
                            "two providers have the id %s; rename one".formatted(each.id()));
                }
            }
            return providers;
        } catch (SkepException e) {
            throw new SkepException(
                    ErrorCode.BAD_CONFIGURATION,
                    "%s: %s; docs/security.md shows an example".formatted(file, e.getMessage()),
                    e);
        }
    }
}
