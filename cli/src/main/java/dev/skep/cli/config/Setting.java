package dev.skep.cli.config;

import java.util.List;

/**
 * Every setting: its flag and value, its names in the environment and in .env, its purpose and its
 * default. Of two names the first is ours; the second is that of the seed projects and works as
 * well.
 */
public enum Setting {
    DATA_DIR(
            "--data-dir FOLDER",
            "SKEP_DATA_DIR",
            "The folder of databases, agents, keys and logs. It cannot be set in .env, which is in this folder.",
            "~/.skep"),
    HOSTNAME(
            "--hostname NAME",
            "SKEP_HOSTNAME NAISYS_HOSTNAME",
            "This host's name in the fleet; by default the machine's name.",
            ""),
    HUB_URLS(
            "--hub-urls URL,URL",
            "SKEP_HUB_URLS HUB_URLS",
            "Hubs to join; without any, this host works alone.",
            ""),
    // Secrets have no flag: every user of the machine can read a process's arguments.
    HUB_ACCESS_KEY(
            "",
            "SKEP_HUB_ACCESS_KEY HUB_ACCESS_KEY",
            "The key that hub and runner share; needed with hub URLs unless the host is enrolled.",
            ""),
    ALLOW(
            "--allow WHAT,WHAT",
            "SKEP_ALLOW",
            "What the hubs of --hub-urls may do to this host: some of steer, agents, jobs and exec, or none. If set, it applies at every start; otherwise steer, or what 'skep allow' set.",
            ""),
    DATABASE_PROVIDER(
            "",
            "SKEP_DATABASE_PROVIDER DATABASE_PROVIDER",
            "sqlite or postgresql; by default what the database's URL says.",
            ""),
    DATABASE_URL(
            "--database URL",
            "SKEP_DATABASE_URL DATABASE_URL",
            "The hub's database: postgresql://user:password@host:5432/database, or file:PATH, relative to the file that sets it, else to the working folder; by default hub.db in the data dir.",
            ""),
    LISTEN(
            "--listen ADDRESS:PORT",
            "SKEP_LISTEN",
            "Address and port of the listener.",
            ListenConfig.DEFAULT),
    TLS_CERTIFICATE(
            "--tls-certificate FILE",
            "SKEP_TLS_CERTIFICATE",
            "PEM certificate chain; with its key, the listener uses TLS. A changed file is read again within 10 s.",
            ""),
    TLS_KEY("--tls-key FILE", "SKEP_TLS_KEY", "The certificate's key, PEM, PKCS#8.", ""),
    TLS_TRUST(
            "--tls-trust FILE",
            "SKEP_TLS_TRUST",
            "PEM certificates of your own authorities, trusted in addition to the usual ones for connections to hubs and models.",
            ""),
    PLAIN(
            "--plain [yes|no]",
            "SKEP_PLAIN",
            "Allow connections to and from other machines without TLS, because a proxy or a private network protects them.",
            "no"),
    PUBLIC_URL(
            "--public-url URL",
            "SKEP_PUBLIC_URL",
            "The address at which people and other machines reach this process through a proxy, such as https://hub.example.org; sign-in links and pairing commands contain it.",
            ""),
    NAMES(
            "--names NAME,NAME",
            "SKEP_NAMES",
            "Host names of the listener and the registry; addresses and localhost always work.",
            ""),
    ORIGINS(
            "--origins URL,URL",
            "SKEP_ORIGINS",
            "Other web origins, such as https://host:port, whose pages may use the API.",
            ""),
    TRUSTED_PROXIES(
            "--trusted-proxies ADDRESS,ADDRESS",
            "SKEP_TRUSTED_PROXIES",
            "Proxies in front of the listener, such as 127.0.0.1 or 10.0.0.0/8. Their X-Forwarded-For names the client; the header is ignored from anyone else.",
            ""),
    REGISTRY_TOKEN("", "SKEP_REGISTRY_TOKEN HYPI_TOKEN", "The token nodes register with.", ""),
    REGISTRY_PORT(
            "--registry-port PORT|none",
            "SKEP_REGISTRY_PORT",
            "The port at which nodes register on this machine, besides /ws of the listener; if the default port is taken, it is not used. skep registry listens there too.",
            RegistryConfig.PORT),
    NODE_TTL(
            "--node-ttl SECONDS",
            "SKEP_NODE_TTL",
            "A node of the registry that is silent for three times this is offline.",
            RegistryConfig.TTL),
    RETAIN(
            "--retain DAYS",
            "SKEP_RETAIN",
            "How long the registry keeps offline nodes: days, or with a unit like 12h; 0 to delete them once they are offline for the time of --node-ttl.",
            RegistryConfig.RETAIN),
    ALLOW_SPAWN(
            "--allow-spawn [yes|no]",
            "SKEP_ALLOW_SPAWN",
            "Let clients of the registry start agents in folders under your home.",
            "no"),
    AGENT_COMMAND(
            "--agent-command COMMAND",
            "SKEP_AGENT_COMMAND",
            "The command that starts an agent for the registry's clients, such as 'pi --quiet'.",
            RegistryConfig.COMMAND),
    ALLOW_MACHINE(
            "--allow-machine NAME,NAME",
            "SKEP_ALLOW_MACHINE",
            "Let nodes claim to be on these machines, wherever they connect from.",
            ""),
    ALLOW_ORIGIN(
            "--allow-origin ORIGIN,ORIGIN",
            "SKEP_ALLOW_ORIGIN",
            "Web origins that may use the registry, or none. The default is Pi-DE on this machine, and applies only if the registry listens on this machine only.",
            RegistryConfig.PI_DE),
    // The URL of a Redis often holds its password.
    QUEUE_URL(
            "",
            "SKEP_QUEUE_URL QUEUE_URL",
            "A Redis for a hub's queue, redis://HOST:6379; by default the queue is in the database.",
            ""),
    PRIVATE_WEBHOOKS(
            "--private-webhooks [yes|no]",
            "SKEP_PRIVATE_WEBHOOKS",
            "Let webhooks reach this machine and private networks.",
            "no"),
    JOBS_AT_ONCE(
            "--jobs-at-once NUMBER",
            "SKEP_JOBS_AT_ONCE",
            "How many jobs this host runs at the same time.",
            JobsConfig.AT_ONCE),
    JOBS_USER(
            "--jobs-user own|runner",
            "SKEP_JOBS_USER",
            "The user that jobs and servers of this host run as: own, a separate isolated user if the machine supports it, or runner, the runner's user without isolation, for hosts whose allowed commands administer the machine.",
            JobsConfig.USER),
    SPEND_LIMIT(
            "--spend-limit DOLLARS",
            "SKEP_SPEND_LIMIT",
            "What all agents of this host together may spend in a spend window; a hard limit, in addition to each agent's own.",
            ""),
    SPEND_WINDOW(
            "--spend-window TIME",
            "SKEP_SPEND_WINDOW",
            "The rolling period of the spend limit, such as 12h or 7d.",
            AgentsConfig.WINDOW),
    WAIT_FOR_AGENTS(
            "--wait-for-agents TIME",
            "SKEP_WAIT_FOR_AGENTS",
            "How long a host whose database was lost waits for its hubs to return its agents before it creates new ones, such as 30s or 5m; 0 for not at all.",
            AgentsConfig.WAIT),
    APPROVAL_TIMEOUT(
            "--approval-timeout TIME",
            "SKEP_APPROVAL_TIMEOUT",
            "How long a command of an agent waits for a person before it is denied, such as 30m or 12h, if the agent's file does not say.",
            AgentsConfig.APPROVAL),
    KEEP(
            "--keep KIND=TIME,…",
            "SKEP_KEEP",
            "How long rows are kept; a kind that is not named keeps its default, KIND=forever keeps all.",
            RetentionConfig.KEEP),
    KEEP_SIZE(
            "--keep-size SIZE",
            "SKEP_KEEP_SIZE",
            "How much a SQLite file may hold before its oldest rows are deleted early, such as 500MB; none for no limit.",
            RetentionConfig.SIZE);

    private final String flag;
    private final String names;
    private final String meaning;
    private final String standard;

    Setting(String flag, String names, String meaning, String standard) {
        this.flag = flag;
        this.names = names;
        this.meaning = meaning;
        this.standard = standard;
    }

    /** The command line's name of it, empty where it has none. */
    public String flag() {
        return flag.replaceFirst(" .*", "");
    }

    /** What the flag takes, in brackets if it may be left out, which then means yes. */
    public String takes() {
        return flag.replaceFirst("^\\S* ?", "");
    }

    /** Whether the flag alone means yes. */
    public boolean isSwitch() {
        return takes().startsWith("[");
    }

    /** Whether the flag may be given again and again, each time with more. */
    public boolean mayRepeat() {
        return takes().contains(",") && !takes().contains("=");
    }

    /** Its names in the environment and in .env; the earlier wins where both are set. */
    public List<String> names() {
        return List.of(names.split(" ", -1));
    }

    /** The name to show to people. */
    public String ownName() {
        return names().getFirst();
    }

    /** What it is for, in a sentence. */
    public String meaning() {
        return meaning;
    }

    /** The default, empty if there is none or it depends. */
    public String standard() {
        return standard;
    }

    public boolean isSecret() {
        return this == HUB_ACCESS_KEY || this == REGISTRY_TOKEN || this == QUEUE_URL;
    }
}
