package dev.skep.app.retention;

import dev.skep.directory.module.FeatureModule;
import dev.skep.directory.module.ProcessAddress;
import dev.skep.kernel.lifecycle.Lifecycle;
import java.nio.file.Path;
import java.util.List;

/** Purges the old rows of one host of a process, once everything is open. */
public final class RetentionModule implements FeatureModule {
    private final String name;
    private final Retention retention;
    private final List<Path> logFolders;

    /**
     * Made and not started.
     *
     * @param logFolders where other programs write logs that must not grow for ever
     */
    public RetentionModule(String name, Retention retention, List<Path> logFolders) {
        this.name = name;
        this.retention = retention;
        this.logFolders = List.copyOf(logFolders);
    }

    @Override
    public void start(Lifecycle lifecycle, ProcessAddress address) {
        lifecycle.start(name, retention);
        if (!logFolders.isEmpty()) {
            lifecycle.start("long logs", new LogFileTrimmer(logFolders));
        }
    }
}
