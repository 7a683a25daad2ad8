package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import dev.skep.shell.BashShells;
import dev.skep.shell.Isolation;
import dev.skep.worker.HostJobs;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** How far agents' shells, jobs and servers are kept from the runner's files on this machine. */
final class ShellCheck implements Check {
    private static final String CHECK = "shell";
    private static final String JOBS = "jobs";

    private final Configuration configuration;

    ShellCheck(Configuration configuration) {
        this.configuration = configuration;
    }

    @Override
    public List<Finding> findings() {
        BashShells shells =
                BashShells.isolated(configuration.agents().environment(), new SecureRandom());
        String user = System.getProperty("user.name", "");
        Path home = HostJobs.home(configuration.dataDir());
        return List.of(
                judge(shells.strongest(), user),
                configuration.jobs().asRunner()
                        ? asRunner(user)
                        : judgeJobs(shells.strongestWithin(home), user));
    }

    /** As the host wants it, and to be seen. */
    static Finding asRunner(String user) {
        return Finding.warning(
                JOBS,
                "jobs and servers run as %s without isolation, as jobs-user says: commands in allowed-commands may do all that the runner may"
                        .formatted(user),
                "take --jobs-user runner (SKEP_JOBS_USER) out unless jobs must administer this machine");
    }

    static Finding judgeJobs(Isolation isolation, String user) {
        return switch (isolation) {
            case Isolation.None none when user.equals("root") ->
                    Finding.warning(
                            JOBS,
                            "jobs and servers run as root: " + none.describeJobs(),
                            "run skep as a user of its own, or let others enter the way to the data dir");
            case Isolation.None none ->
                    Finding.warning(
                            JOBS,
                            none.describeJobs(),
                            "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1), or list only commands you trust with these files in allowed-commands");
            case Isolation.OwnUser own -> Finding.ok(JOBS, own.describeJobs());
            case Isolation.Namespaces walled -> Finding.ok(JOBS, walled.describeJobs());
        };
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
