package dev.skep.app.doctor;

import dev.skep.app.config.Configuration;
import dev.skep.runner.shell.BashShells;
import dev.skep.runner.shell.Isolation;
import java.security.SecureRandom;
import java.util.List;

/** How far agents' shells are kept from the runner's files on this machine. */
final class ShellLook implements Look {
    private static final String CHECK = "shell";

    private final Configuration configuration;

    ShellLook(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        BashShells shells =
                BashShells.isolated(configuration.agents().environment(), new SecureRandom());
        return List.of(judge(shells.strongest(), System.getProperty("user.name", "")));
    }

    static Finding judge(Isolation isolation, String user) {
        return switch (isolation) {
            case Isolation.None none when user.equals("root") ->
                    Finding.warning(
                            CHECK,
                            "agents' shells run as root: " + none.describe(),
                            "run skep as a user of its own");
            case Isolation.None none ->
                    Finding.warning(
                            CHECK,
                            none.describe(),
                            "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or run agents you would let read these files");
            case Isolation.OwnUser own -> Finding.ok(CHECK, own.describe());
            case Isolation.Namespaces walled -> Finding.ok(CHECK, walled.describe());
        };
    }
}
