package dev.skep.cli.config;

import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.error.SkepException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The hubs a runner joins, none when it works alone, and the key both ends know.
 *
 * @param allow what these hubs may do to this host; empty for what was decided before, or the usual
 * @param authorities a PEM file of those that may vouch for hubs, besides the usual ones
 */
public record LinkConfig(
        List<URI> hubs,
        Optional<SecretValue> accessKey,
        Optional<Consents> allow,
        Optional<Path> authorities) {
    private static final Set<String> SCHEMES = Set.of("http", "https", "ws", "wss");

    static LinkConfig read(
            SettingValue urls,
            SettingValue key,
            SettingValue allow,
            Optional<Path> authorities,
            BooleanSupplier enrolled,
            ConfigProblems problems) {
        List<URI> hubs = new ArrayList<>();
        for (String url : urls.text().split(",", -1)) {
            if (!url.isBlank()) {
                URI hub = hub(url.strip());
                if (hub == null) {
                    problems.add(
                            urls.named()
                                    + " has no hub address in \""
                                    + SettingValue.withoutPassword(url.strip())
                                    + "\"; write for example https://hub.example.com:4280");
                } else {
                    hubs.add(hub);
                }
            }
        }
        if (!hubs.isEmpty() && key.text().isEmpty() && !enrolled.getAsBoolean()) {
            problems.add(
                    urls.named()
                            + " needs a key: set "
                            + Setting.HUB_ACCESS_KEY.ownName()
                            + " to the hub's key, or enrol this host first");
        }
        Optional<SecretValue> secret =
                Optional.of(key.text()).filter(k -> !k.isEmpty()).map(SecretValue::new);
        return new LinkConfig(List.copyOf(hubs), secret, consents(allow, problems), authorities);
    }

    private static Optional<Consents> consents(SettingValue allow, ConfigProblems problems) {
        try {
            return Optional.of(allow.text()).filter(text -> !text.isEmpty()).map(Consents::parse);
        } catch (SkepException unknown) {
            problems.add(allow.named() + ": " + unknown.getMessage());
            return Optional.empty();
        }
    }

    private static @Nullable URI hub(String text) {
        try {
            URI uri = new URI(text);
            boolean usable =
                    uri.getScheme() != null
                            && SCHEMES.contains(uri.getScheme())
                            && uri.getHost() != null
                            && uri.getUserInfo() == null;
            return usable ? uri : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
