package dev.skep.cli.config;

import static dev.skep.cli.config.Setting.AGENT_COMMAND;
import static dev.skep.cli.config.Setting.ALLOW;
import static dev.skep.cli.config.Setting.ALLOW_MACHINE;
import static dev.skep.cli.config.Setting.ALLOW_ORIGIN;
import static dev.skep.cli.config.Setting.ALLOW_SPAWN;
import static dev.skep.cli.config.Setting.APPROVAL_TIMEOUT;
import static dev.skep.cli.config.Setting.DATABASE_PROVIDER;
import static dev.skep.cli.config.Setting.DATABASE_URL;
import static dev.skep.cli.config.Setting.DATA_DIR;
import static dev.skep.cli.config.Setting.HOSTNAME;
import static dev.skep.cli.config.Setting.HUB_ACCESS_KEY;
import static dev.skep.cli.config.Setting.HUB_URLS;
import static dev.skep.cli.config.Setting.JOBS_AT_ONCE;
import static dev.skep.cli.config.Setting.JOBS_USER;
import static dev.skep.cli.config.Setting.LISTEN;
import static dev.skep.cli.config.Setting.NAMES;
import static dev.skep.cli.config.Setting.NODE_TTL;
import static dev.skep.cli.config.Setting.ORIGINS;
import static dev.skep.cli.config.Setting.PLAIN;
import static dev.skep.cli.config.Setting.PRIVATE_WEBHOOKS;
import static dev.skep.cli.config.Setting.PUBLIC_URL;
import static dev.skep.cli.config.Setting.QUEUE_URL;
import static dev.skep.cli.config.Setting.REGISTRY_TOKEN;
import static dev.skep.cli.config.Setting.RETAIN;
import static dev.skep.cli.config.Setting.SPEND_LIMIT;
import static dev.skep.cli.config.Setting.SPEND_WINDOW;
import static dev.skep.cli.config.Setting.TLS_CERTIFICATE;
import static dev.skep.cli.config.Setting.TLS_KEY;
import static dev.skep.cli.config.Setting.TLS_TRUST;
import static dev.skep.cli.config.Setting.TRUSTED_PROXIES;
import static dev.skep.cli.config.Setting.WAIT_FOR_AGENTS;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What can run in a process, and the settings that make a difference to it. */
public enum ProcessPart {
    RUNNER("skep run"),
    HUB("a hub (skep hub, skep run --hub)"),
    SUPERVISOR("skep supervisor"),
    REGISTRY("skep registry");

    private static final Set<Setting> OF_HUBS =
            EnumSet.of(DATABASE_PROVIDER, DATABASE_URL, QUEUE_URL, PRIVATE_WEBHOOKS);
    private static final Set<Setting> OF_RUNNERS =
            EnumSet.of(
                    JOBS_AT_ONCE,
                    JOBS_USER,
                    SPEND_LIMIT,
                    SPEND_WINDOW,
                    WAIT_FOR_AGENTS,
                    APPROVAL_TIMEOUT);
    private static final Set<Setting> OF_SUPERVISORS =
            EnumSet.of(
                    DATA_DIR,
                    DATABASE_PROVIDER,
                    DATABASE_URL,
                    LISTEN,
                    TLS_CERTIFICATE,
                    TLS_KEY,
                    PLAIN,
                    PUBLIC_URL,
                    NAMES,
                    ORIGINS,
                    TRUSTED_PROXIES);
    private static final Set<Setting> OF_REGISTRIES =
            EnumSet.of(
                    DATA_DIR,
                    HOSTNAME,
                    HUB_URLS,
                    HUB_ACCESS_KEY,
                    ALLOW,
                    TLS_TRUST,
                    PLAIN,
                    TRUSTED_PROXIES,
                    REGISTRY_TOKEN,
                    NAMES,
                    NODE_TTL,
                    RETAIN,
                    ALLOW_SPAWN,
                    AGENT_COMMAND,
                    ALLOW_MACHINE,
                    ALLOW_ORIGIN);

    private final String words;

    ProcessPart(String words) {
        this.words = words;
    }

    public boolean heeds(Setting setting) {
        return switch (this) {
            case RUNNER -> !OF_HUBS.contains(setting);
            case HUB -> !OF_RUNNERS.contains(setting);
            case SUPERVISOR -> OF_SUPERVISORS.contains(setting);
            case REGISTRY -> OF_REGISTRIES.contains(setting);
        };
    }

    /** Those that a setting makes a difference to, for people. */
    public static String heeding(Setting setting) {
        List<String> all =
                Arrays.stream(values()).filter(p -> p.heeds(setting)).map(p -> p.words).toList();
        return String.join(" and ", all);
    }

    /** Refuses a flag that has no effect on these, instead of ignoring it. */
    public static void refuseIdle(Set<ProcessPart> running, Map<Setting, String> given) {
        ConfigProblems problems = new ConfigProblems();
        Predicate<Setting> idle = setting -> running.stream().noneMatch(p -> p.heeds(setting));
        given.keySet().stream()
                .filter(idle)
                .forEach(
                        setting ->
                                problems.add(
                                        "%s does nothing here, it is for %s: %s"
                                                .formatted(
                                                        setting.flag(),
                                                        heeding(setting),
                                                        setting.meaning())));
        problems.throwIfAny();
    }
}
