package dev.skep.app.config;

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
 * @param authorities a PEM file of those that may vouch for hubs, besides the usual ones
 */
public record LinkConfig(List<URI> hubs, Optional<Secret> accessKey, Optional<Path> authorities) {
    private static final Set<String> SCHEMES = Set.of("http", "https", "ws", "wss");

    static LinkConfig read(
            SettingValue urls,
            SettingValue key,
            Optional<Path> authorities,
            BooleanSupplier enrolled,
            Problems problems) {
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
        Optional<Secret> secret =
                Optional.of(key.text()).filter(k -> !k.isEmpty()).map(Secret::new);
        return new LinkConfig(List.copyOf(hubs), secret, authorities);
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
