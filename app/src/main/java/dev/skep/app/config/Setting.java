package dev.skep.app.config;

import java.util.List;

/**
 * Everything a user can set. The first name is ours; the second, where there is one, is what the
 * seed projects call it and works just as well. Described for people in docs/operations.md.
 */
public enum Setting {
    DATA_DIR("--data-dir", "SKEP_DATA_DIR", ""),
    HOSTNAME("--hostname", "SKEP_HOSTNAME", "NAISYS_HOSTNAME"),
    HUB_URLS("--hub-urls", "SKEP_HUB_URLS", "HUB_URLS"),
    // Secrets have no flag: every user of the machine can read a process's arguments.
    HUB_ACCESS_KEY("", "SKEP_HUB_ACCESS_KEY", "HUB_ACCESS_KEY"),
    DATABASE_PROVIDER("", "SKEP_DATABASE_PROVIDER", "DATABASE_PROVIDER"),
    DATABASE_URL("--database", "SKEP_DATABASE_URL", "DATABASE_URL"),
    LISTEN("--listen", "SKEP_LISTEN", ""),
    TLS_CERTIFICATE("--tls-certificate", "SKEP_TLS_CERTIFICATE", ""),
    TLS_KEY("--tls-key", "SKEP_TLS_KEY", ""),
    PLAIN("--plain", "SKEP_PLAIN", ""),
    NAMES("--names", "SKEP_NAMES", ""),
    ORIGINS("--origins", "SKEP_ORIGINS", ""),
    REGISTRY_TOKEN("", "SKEP_REGISTRY_TOKEN", "HYPI_TOKEN"),
    REGISTRY_PORT("--registry-port", "SKEP_REGISTRY_PORT", ""),
    // The URL of a Redis often holds its password.
    QUEUE_URL("", "SKEP_QUEUE_URL", "QUEUE_URL"),
    PRIVATE_WEBHOOKS("--private-webhooks", "SKEP_PRIVATE_WEBHOOKS", ""),
    JOBS_AT_ONCE("--jobs-at-once", "SKEP_JOBS_AT_ONCE", ""),
    SPEND_LIMIT("--spend-limit", "SKEP_SPEND_LIMIT", ""),
    SPEND_WINDOW("--spend-window", "SKEP_SPEND_WINDOW", ""),
    RETAIN("--retain", "SKEP_RETAIN", ""),
    RETAIN_SIZE("--retain-size", "SKEP_RETAIN_SIZE", "");

    private final String flag;
    private final String ownName;
    private final String seedName;

    Setting(String flag, String ownName, String seedName) {
        this.flag = flag;
        this.ownName = ownName;
        this.seedName = seedName;
    }

    /** The command line's name of it, empty where it has none. */
    public String flag() {
        return flag;
    }

    /** Its names in the environment and in .env; the earlier wins where both are set. */
    public List<String> names() {
        return seedName.isEmpty() ? List.of(ownName) : List.of(ownName, seedName);
    }

    /** The name to use when telling people about it. */
    public String ownName() {
        return ownName;
    }

    public boolean isSecret() {
        return this == HUB_ACCESS_KEY || this == REGISTRY_TOKEN || this == QUEUE_URL;
    }
}
