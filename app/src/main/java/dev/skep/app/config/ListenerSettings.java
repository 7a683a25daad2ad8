package dev.skep.app.config;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.ListenerConfig.TlsFiles;
import dev.skep.transport.http.RequestLimits;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads how the listener protects itself. */
final class ListenerSettings {
    private ListenerSettings() {}

    static ListenerConfig read(
            ListenConfig listen,
            Map<Setting, SettingValue> values,
            SettingSources sources,
            Problems problems) {
        SettingValue plain = Configuration.of(values, Setting.PLAIN);
        if (!Set.of("", "yes", "no").contains(plain.text())) {
            problems.add(plain.named() + " is \"" + plain.text() + "\"; say yes or no");
        }
        try {
            return new ListenerConfig(
                    listen.address(),
                    listen.port(),
                    tls(values, sources, problems),
                    plain.text().equals("yes"),
                    words(Configuration.of(values, Setting.NAMES)),
                    words(Configuration.of(values, Setting.ORIGINS)),
                    RequestLimits.USUAL);
        } catch (SkepException unsafe) {
            problems.add(
                    unsafe.getMessage()
                            + " ("
                            + Setting.TLS_CERTIFICATE.flag()
                            + " and "
                            + Setting.TLS_KEY.flag()
                            + ", or "
                            + Setting.PLAIN.flag()
                            + ")");
            return ListenerConfig.loopback(listen.port());
        }
    }

    private static Optional<TlsFiles> tls(
            Map<Setting, SettingValue> values, SettingSources sources, Problems problems) {
        SettingValue certificate = Configuration.of(values, Setting.TLS_CERTIFICATE);
        SettingValue key = Configuration.of(values, Setting.TLS_KEY);
        if (certificate.text().isEmpty() != key.text().isEmpty()) {
            SettingValue given = key.text().isEmpty() ? certificate : key;
            SettingValue missing = key.text().isEmpty() ? key : certificate;
            problems.add(
                    given.named()
                            + " needs "
                            + missing.setting().ownName()
                            + " beside it; set both");
        }
        if (certificate.text().isEmpty() || key.text().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new TlsFiles(
                        sources.folderOf(certificate.origin()).resolve(certificate.text()),
                        sources.folderOf(key.origin()).resolve(key.text())));
    }

    private static Set<String> words(SettingValue value) {
        return Arrays.stream(value.text().split(",", -1))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }
}
