package dev.skep.cli.config;

import java.util.regex.Pattern;

/** The name of this machine in its host row. */
public record HostConfig(String hostname) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    static HostConfig read(SettingValue name, ConfigProblems problems) {
        if (!NAME.matcher(name.text()).matches()) {
            problems.add(
                    name.named()
                            + " is not a host name: \""
                            + name.text()
                            + "\"; use up to 63 letters, digits, dots, dashes and underscores");
        }
        return new HostConfig(name.text());
    }
}
