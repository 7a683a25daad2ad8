package dev.skep.cli.config;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.http.CidrBlock;
import dev.skep.transport.http.ConnectionLimits;
import dev.skep.transport.http.ListenerConfig;
import dev.skep.transport.http.ListenerConfig.TlsFiles;
import dev.skep.transport.http.RequestLimits;
import dev.skep.transport.http.TrustedProxies;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads how the listener protects itself. */
final class ListenerSettings {
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?");
    private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://[^/\\s]+");

    private ListenerSettings() {}

    static ListenerConfig read(
            ListenConfig listen,
            Map<Setting, SettingValue> values,
            SettingSources sources,
            ConfigProblems problems) {
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
                    names(listen, names(Configuration.of(values, Setting.NAMES), problems)),
                    origins(Configuration.of(values, Setting.ORIGINS), problems),
                    RequestLimits.USUAL,
                    proxies(Configuration.of(values, Setting.TRUSTED_PROXIES), problems),
                    ConnectionLimits.USUAL,
                    new ListenerConfig.Advice(Setting.NAMES.flag(), Setting.ORIGINS.flag()));
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

    static Set<String> names(SettingValue value, ConfigProblems problems) {
        return words(
                value, NAME, "no host name in \"%s\"; write for example hub.example.com", problems);
    }

    static Set<String> origins(SettingValue value, ConfigProblems problems) {
        return words(
                value,
                ORIGIN,
                "no web origin in \"%s\"; write for example https://pages.example.com, without a path",
                problems);
    }

    private static TrustedProxies proxies(SettingValue value, ConfigProblems problems) {
        return new TrustedProxies(
                words(
                                value,
                                word -> CidrBlock.parse(word).isPresent(),
                                "no address in \"%s\"; write for example 127.0.0.1 or 10.0.0.0/8",
                                problems)
                        .stream()
                        .flatMap(word -> CidrBlock.parse(word).stream())
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /** Clients that use the public address send its name. */
    private static Set<String> names(ListenConfig listen, Set<String> given) {
        return Stream.concat(given.stream(), listen.publicUrl().map(URI::getHost).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<TlsFiles> tls(
            Map<Setting, SettingValue> values, SettingSources sources, ConfigProblems problems) {
        SettingValue certificate = Configuration.of(values, Setting.TLS_CERTIFICATE);
        SettingValue key = Configuration.of(values, Setting.TLS_KEY);
        if (certificate.text().isEmpty() != key.text().isEmpty()) {
            SettingValue given = key.text().isEmpty() ? certificate : key;
            SettingValue missing = key.text().isEmpty() ? key : certificate;
            problems.add(
                    given.named()
                            + " needs "
                            + missing.setting().flag()
                            + " ("
                            + missing.setting().ownName()
                            + ") beside it; set both");
        }
        if (certificate.text().isEmpty() || key.text().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new TlsFiles(
                        sources.folderOf(certificate.origin()).resolve(certificate.text()),
                        sources.folderOf(key.origin()).resolve(key.text())));
    }

    private static Set<String> words(
            SettingValue value, Pattern form, String otherwise, ConfigProblems problems) {
        return words(value, word -> form.matcher(word).matches(), otherwise, problems);
    }

    private static Set<String> words(
            SettingValue value,
            Predicate<String> isOne,
            String otherwise,
            ConfigProblems problems) {
        Set<String> words =
                Arrays.stream(value.text().split(",", -1))
                        .map(String::strip)
                        .filter(word -> !word.isEmpty())
                        .collect(Collectors.toUnmodifiableSet());
        words.stream()
                .filter(isOne.negate())
                .forEach(word -> problems.add(value.named() + " has " + otherwise.formatted(word)));
        return words;
    }
}
