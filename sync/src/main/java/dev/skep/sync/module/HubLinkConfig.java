package dev.skep.sync.module;

import dev.skep.directory.host.HostKind;
import dev.skep.directory.host.LocalHost;
import dev.skep.directory.link.HubUrl;
import dev.skep.kernel.consent.Consents;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The hubs that a host is configured to join, and how.
 *
 * @param accessKey HUB_ACCESS_KEY, which hub and host both know
 * @param allow what these hubs may do on this host; empty for the earlier decision, or the default
 * @param plainOffLoopback whether hubs on other machines may be joined without TLS
 */
public record HubLinkConfig(
        Path dataDir,
        List<URI> hubs,
        Optional<String> accessKey,
        Optional<Consents> allow,
        boolean plainOffLoopback) {
    public HubLinkConfig {
        hubs = List.copyOf(hubs);
    }

    HubUrl url(String text) {
        return HubUrl.of(text, plainOffLoopback);
    }

    /**
     * Those it names. A hub beside a runner that was enrolled by a code has none: the code was for
     * the runner.
     */
    List<HubUrl> configured(LocalHost host) {
        return hubs.stream()
                .map(hub -> url(hub.toString()))
                .filter(
                        url ->
                                host.kind() == HostKind.RUNNER
                                        || accessKey.isPresent()
                                        || host.keys().hub(url.base()).isPresent())
                .toList();
    }

    @Override
    public String toString() {
        return "hubs " + hubs;
    }
}
