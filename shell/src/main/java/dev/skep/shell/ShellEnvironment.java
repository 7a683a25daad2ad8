package dev.skep.shell;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The variables that an agent's shell starts with: harmless ones of the runner, and those that keep
 * programs from prompting on a terminal that no one watches.
 */
final class ShellEnvironment {
    private static final Set<String> PASSED_ON =
            Set.of(
                    "PATH",
                    "LANG",
                    "LANGUAGE",
                    "TZ",
                    "JAVA_HOME",
                    "SSL_CERT_FILE",
                    "SSL_CERT_DIR",
                    "CURL_CA_BUNDLE",
                    "REQUESTS_CA_BUNDLE",
                    "NODE_EXTRA_CA_CERTS",
                    "GIT_SSL_CAINFO");

    private static final Set<String> PROXIES =
            Set.of("http_proxy", "https_proxy", "all_proxy", "no_proxy");

    private static final Map<String, String> NO_QUESTIONS =
            Map.ofEntries(
                    Map.entry("TERM", "dumb"),
                    Map.entry("NO_COLOR", "1"),
                    Map.entry("PAGER", "cat"),
                    Map.entry("MANPAGER", "cat"),
                    Map.entry("GIT_PAGER", "cat"),
                    Map.entry("SYSTEMD_PAGER", "cat"),
                    Map.entry("EDITOR", "true"),
                    Map.entry("VISUAL", "true"),
                    Map.entry("GIT_EDITOR", "true"),
                    Map.entry("GIT_TERMINAL_PROMPT", "0"),
                    Map.entry("GIT_ASKPASS", "false"),
                    Map.entry("SSH_ASKPASS", "false"),
                    Map.entry("GIT_SSH_COMMAND", "ssh -o BatchMode=yes"),
                    Map.entry("DEBIAN_FRONTEND", "noninteractive"),
                    Map.entry("PIP_NO_INPUT", "1"),
                    Map.entry("npm_config_yes", "true"),
                    Map.entry("PYTHONUNBUFFERED", "1"));

    private static final Pattern EXPORTABLE =
            Pattern.compile("(?!SKEP_(VARIABLE|FILE)_)[A-Za-z_][A-Za-z0-9_]*");

    /** Read-only in bash, or what processes are known by. */
    private static final Set<String> RESERVED =
            Set.of(
                    "UID",
                    "EUID",
                    "PPID",
                    "BASHOPTS",
                    "SHELLOPTS",
                    "SKEP_SHELL",
                    "SKEP_PROGRAM",
                    "SKEP_EACH");

    private ShellEnvironment() {}

    /** What is harmless of the runner's own variables, for a guard and all that it starts. */
    static Map<String, String> basis(Map<String, String> runner) {
        var variables = new HashMap<String, String>();
        runner.forEach(
                (name, value) -> {
                    if (harmless(name, value)) {
                        variables.put(name, value);
                    }
                });
        return variables;
    }

    /** What only the shell itself gets; the agent's settings override the rest. */
    static Map<String, String> own(ShellSettings settings, String bash) {
        return own(
                settings.agent(),
                settings.folder().toAbsolutePath().toString(),
                bash,
                settings.environment());
    }

    static Map<String, String> own(
            String agent, String home, String bash, Map<String, String> environment) {
        var variables = new HashMap<>(NO_QUESTIONS);
        variables.put("HOME", home);
        variables.put("USER", agent);
        variables.put("LOGNAME", agent);
        variables.put("SHELL", bash);
        variables.putAll(environment);
        return variables;
    }

    /**
     * The variables under names that mean nothing to any program, for a bash that exports them once
     * the rights are dropped; without those that no bash could export.
     */
    static Map<String, String> numbered(Map<String, String> variables) {
        var numbered = new HashMap<String, String>();
        exportable(variables)
                .forEach(
                        (name, value) ->
                                numbered.put(
                                        "SKEP_VARIABLE_" + numbered.size(), name + "=" + value));
        return numbered;
    }

    static Map<String, String> exportable(Map<String, String> variables) {
        var exportable = new HashMap<>(variables);
        exportable
                .keySet()
                .removeIf(name -> !EXPORTABLE.matcher(name).matches() || RESERVED.contains(name));
        return exportable;
    }

    private static boolean harmless(String name, String value) {
        return PASSED_ON.contains(name)
                || name.startsWith("LC_")
                // a proxy's address may carry a password
                || (PROXIES.contains(name.toLowerCase(Locale.ROOT)) && !value.contains("@"));
    }
}
