package dev.skep.app.doctor;

import dev.skep.app.config.Configuration;
import dev.skep.kernel.error.SkepException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Looks at everything in turn; one look that fails is a finding, not the end. */
public final class Doctor {
    private final Map<String, Look> looks = new LinkedHashMap<>();

    public Doctor(Configuration configuration, InstantSource clock) {
        RunningProcess running = RunningProcess.of(configuration.dataDir());
        looks.put("java", new JavaLook());
        DataDirLook dataDir = new DataDirLook(configuration.dataDir());
        looks.put("data dir", dataDir);
        looks.put("port", new PortLook(configuration, running));
        looks.put("disk", new DiskLook(configuration));
        // That nothing can lie in the data dir is told once, not by everything that would.
        if (dataDir.isWithinReach()) {
            looks.put("database", new DatabaseLook(configuration));
            looks.put("retention", new RetentionLook(configuration));
            looks.put("heal", new HealLook(configuration));
            looks.put("host key", new KeyLook(configuration));
            looks.put("model", new ModelLook(configuration));
        }
        looks.put("hub", new HubLook(configuration, clock));
        looks.put("shell", new ShellLook(configuration));
    }

    /** Findings as they are made; the listener hears each at once, since some looks take long. */
    public List<Finding> look(Consumer<Finding> heard) {
        List<Finding> all = new ArrayList<>();
        looks.forEach(
                (name, look) -> {
                    List<Finding> found = findings(name, look);
                    found.forEach(heard);
                    all.addAll(found);
                });
        return all;
    }

    private static List<Finding> findings(String name, Look look) {
        try {
            return look.findings();
        } catch (SkepException failure) {
            return List.of(Finding.problem(name, failure));
        }
    }

    /** What can be said where the configuration itself is wrong. */
    public static List<Finding> ofBadConfiguration(SkepException wrong) {
        List<Finding> found = new ArrayList<>(new JavaLook().findings());
        String.valueOf(wrong.getMessage())
                .lines()
                .map(line -> Finding.problem("configuration", new IllegalArgumentException(line)))
                .forEach(found::add);
        return found;
    }
}
