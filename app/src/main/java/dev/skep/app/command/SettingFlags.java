package dev.skep.app.command;

import dev.skep.app.config.Setting;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The flags that set what .env and the environment can set too. */
public final class SettingFlags {
    private final Map<Setting, String> given = new EnumMap<>(Setting.class);

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Databases, agents, keys and logs (default: ~/.skep).")
    void dataDir(String value) {
        given.put(Setting.DATA_DIR, value);
    }

    @Option(
            names = "--hostname",
            paramLabel = "NAME",
            description = "This host's name in the fleet (default: the machine's).")
    void hostname(String value) {
        given.put(Setting.HOSTNAME, value);
    }

    @Option(
            names = "--hub-urls",
            paramLabel = "URL,URL",
            description = "Hubs to join (default: none, this host works alone).")
    void hubUrls(String value) {
        given.put(Setting.HUB_URLS, value);
    }

    @Option(
            names = "--database",
            paramLabel = "URL",
            description =
                    "The hub's database: file:PATH or postgresql://… (default: hub.db in the data dir).")
    void database(String value) {
        given.put(Setting.DATABASE_URL, value);
    }

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            description = "Where to listen (default: 127.0.0.1:4280).")
    void listen(String value) {
        given.put(Setting.LISTEN, value);
    }

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM certificate chain; reloaded when it changes.")
    void tlsCertificate(String value) {
        given.put(Setting.TLS_CERTIFICATE, value);
    }

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM key (PKCS#8) of the certificate.")
    void tlsKey(String value) {
        given.put(Setting.TLS_KEY, value);
    }

    @Option(
            names = "--plain",
            arity = "0..1",
            fallbackValue = "yes",
            paramLabel = "yes|no",
            description = "Allow links off this machine without TLS: a proxy does it.")
    void plain(String value) {
        given.put(Setting.PLAIN, value);
    }

    @Option(
            names = "--names",
            paramLabel = "NAME,NAME",
            description = "Host names people reach this listener by.")
    void names(String value) {
        given.put(Setting.NAMES, value);
    }

    @Option(
            names = "--origins",
            paramLabel = "URL,URL",
            description = "Other web origins that may use the API.")
    void origins(String value) {
        given.put(Setting.ORIGINS, value);
    }

    @Option(
            names = "--registry-port",
            paramLabel = "PORT|none",
            description =
                    "Where agents' sockets register on this machine, besides /ws of the listener (default: 31415).")
    void registryPort(String value) {
        given.put(Setting.REGISTRY_PORT, value);
    }

    @Option(
            names = "--jobs-at-once",
            paramLabel = "NUMBER",
            description = "How many jobs this host does at the same time (default: 4).")
    void jobsAtOnce(String value) {
        given.put(Setting.JOBS_AT_ONCE, value);
    }

    @Option(
            names = "--private-webhooks",
            arity = "0..1",
            fallbackValue = "yes",
            paramLabel = "yes|no",
            description = "Let webhooks reach this machine and its private network.")
    void privateWebhooks(String value) {
        given.put(Setting.PRIVATE_WEBHOOKS, value);
    }

    @Option(
            names = "--spend-limit",
            paramLabel = "DOLLARS",
            description =
                    "What all agents together may spend in a spend window (default: no limit).")
    void spendLimit(String value) {
        given.put(Setting.SPEND_LIMIT, value);
    }

    @Option(
            names = "--spend-window",
            paramLabel = "TIME",
            description = "The stretch of time of --spend-limit, such as 12h or 7d (default: 1d).")
    void spendWindow(String value) {
        given.put(Setting.SPEND_WINDOW, value);
    }

    Map<Setting, String> given() {
        return given;
    }
}
