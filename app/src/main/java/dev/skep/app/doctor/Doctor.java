package dev.skep.app.doctor;

import dev.skep.cli.config.Configuration;
import dev.skep.kernel.error.SkepException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs all checks in turn; a check that fails is a finding, not the end. */
public final class Doctor {
    private final Map<String, Check> checks = new LinkedHashMap<>();

    public Doctor(Configuration configuration, InstantSource clock) {
        RunningProcess running = RunningProcess.of(configuration.dataDir());
        checks.put("java", new JavaCheck());
        DataDirCheck dataDir = new DataDirCheck(configuration.dataDir());
        checks.put("data dir", dataDir);
        checks.put("port", new PortCheck(configuration, running));
        checks.put("disk", new DiskCheck(configuration));
        // An unusable data dir is reported once, not by every check that needs it.
        if (dataDir.isWithinReach()) {
            checks.put("database", new DatabaseCheck(configuration));
            checks.put("retention", new RetentionCheck(configuration));
            checks.put("heal", new HealCheck(configuration));
            checks.put("host key", new KeyCheck(configuration));
            checks.put("model", new ModelCheck(configuration));
            checks.put("runtime", new RuntimeCheck(configuration));
        }
        checks.put("hub", new HubCheck(configuration, clock));
        checks.put("shell", new ShellCheck(configuration));
    }

    /**
     * Findings as they are made; the listener receives each at once, since some checks take long.
     */
    public List<Finding> checkAll(Consumer<Finding> onFinding) {
        List<Finding> all = new ArrayList<>();
        checks.forEach(
                (name, check) -> {
                    List<Finding> found = findings(name, check);
                    found.forEach(onFinding);
                    all.addAll(found);
                });
        return all;
    }

    private static List<Finding> findings(String name, Check check) {
        try {
            return check.findings();
        } catch (SkepException failure) {
            return List.of(Finding.problem(name, failure));
        }
    }

    /** The findings if the configuration itself is wrong. */
    public static List<Finding> ofBadConfiguration(SkepException wrong) {
        List<Finding> found = new ArrayList<>(new JavaCheck().findings());
        String.valueOf(wrong.getMessage())
                .lines()
                .map(line -> Finding.problem("configuration", new IllegalArgumentException(line)))
                .forEach(found::add);
        return found;
    }
}
