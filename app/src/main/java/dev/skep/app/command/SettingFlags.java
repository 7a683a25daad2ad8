package dev.skep.app.command;

import dev.skep.app.config.Setting;
import picocli.CommandLine.Option;

/** The flags that set what .env and the environment can set too. */
public final class SettingFlags extends DatabaseFlags {
    @Option(
            names = "--hostname",
            paramLabel = "NAME",
            description = "This host's name in the fleet (default: the machine's).")
    void hostname(String value) {
        give(Setting.HOSTNAME, value);
    }

    @Option(
            names = "--hub-urls",
            paramLabel = "URL,URL",
            description = "Hubs to join (default: none, this host works alone).")
    void hubUrls(String value) {
        give(Setting.HUB_URLS, value);
    }

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS:PORT",
            description = "Where to listen (default: 127.0.0.1:4280).")
    void listen(String value) {
        give(Setting.LISTEN, value);
    }

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM certificate chain; reloaded when it changes.")
    void tlsCertificate(String value) {
        give(Setting.TLS_CERTIFICATE, value);
    }

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM key (PKCS#8) of the certificate.")
    void tlsKey(String value) {
        give(Setting.TLS_KEY, value);
    }

    @Option(
            names = "--plain",
            arity = "0..1",
            fallbackValue = "yes",
            paramLabel = "yes|no",
            description = "Allow links off this machine without TLS: a proxy does it.")
    void plain(String value) {
        give(Setting.PLAIN, value);
    }

    @Option(
            names = "--names",
            paramLabel = "NAME,NAME",
            description = "Host names people reach this listener by.")
    void names(String value) {
        give(Setting.NAMES, value);
    }

    @Option(
            names = "--origins",
            paramLabel = "URL,URL",
            description = "Other web origins that may use the API.")
    void origins(String value) {
        give(Setting.ORIGINS, value);
    }

    @Option(
            names = "--registry-port",
            paramLabel = "PORT|none",
            description =
                    "Where agents' sockets register on this machine, besides /ws of the listener (default: 31415).")
    void registryPort(String value) {
        give(Setting.REGISTRY_PORT, value);
    }

    @Option(
            names = "--jobs-at-once",
            paramLabel = "NUMBER",
            description = "How many jobs this host does at the same time (default: 4).")
    void jobsAtOnce(String value) {
        give(Setting.JOBS_AT_ONCE, value);
    }

    @Option(
            names = "--private-webhooks",
            arity = "0..1",
            fallbackValue = "yes",
            paramLabel = "yes|no",
            description = "Let webhooks reach this machine and its private network.")
    void privateWebhooks(String value) {
        give(Setting.PRIVATE_WEBHOOKS, value);
    }

    @Option(
            names = "--spend-limit",
            paramLabel = "DOLLARS",
            description =
                    "What all agents together may spend in a spend window (default: no limit).")
    void spendLimit(String value) {
        give(Setting.SPEND_LIMIT, value);
    }

    @Option(
            names = "--retain",
            paramLabel = "KIND=DAYS,…",
            description = "How long rows are kept, such as logs=30d,mail=forever.")
    void retain(String value) {
        give(Setting.RETAIN, value);
    }

    @Option(
            names = "--retain-size",
            paramLabel = "SIZE",
            description = "What a SQLite file may hold, such as 500MB (default: 10GB).")
    void retainSize(String value) {
        give(Setting.RETAIN_SIZE, value);
    }

    @Option(
            names = "--spend-window",
            paramLabel = "TIME",
            description = "The stretch of time of --spend-limit, such as 12h or 7d (default: 1d).")
    void spendWindow(String value) {
        give(Setting.SPEND_WINDOW, value);
    }
}
