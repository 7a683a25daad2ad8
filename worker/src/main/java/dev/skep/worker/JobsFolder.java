package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder that jobs and servers have of a data dir. It lies among those of the agents and has a
 * name that none of them can have: whose folder it is has its user, and with it all of its files.
 */
final class JobsFolder {
    private static final Logger LOG = LoggerFactory.getLogger(JobsFolder.class);
    private static final String NAME = ".jobs";
    private static final String BEFORE = "jobs";

    private JobsFolder() {}

    static Path of(Path dataDir) {
        return dataDir.resolve("work").resolve(NAME);
    }

    /** What is meant by a path that was written when the folder had its name of before. */
    static Path meant(Path dataDir, Path written) {
        Path before = dataDir.resolve("work").resolve(BEFORE);
        return written.startsWith(before) && !Files.exists(before, LinkOption.NOFOLLOW_LINKS)
                ? of(dataDir).resolve(before.relativize(written))
                : written;
    }

    /** Earlier versions had it where an agent of that name would have its own. */
    static void moveFromBefore(Path dataDir) {
        Path before = dataDir.resolve("work").resolve(BEFORE);
        Path now = of(dataDir);
        if (!Files.isDirectory(before, LinkOption.NOFOLLOW_LINKS)
                || Files.exists(now, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            if (isAgents(dataDir.resolve("agents"))) {
                LOG.warn(
                        "{} may be an agent's and is left there; jobs and servers now have {}",
                        before,
                        now);
                return;
            }
            DurableFiles.move(before, now);
            LOG.info("the folder of jobs and servers is {} from now on, was {}", now, before);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot move %s to %s; make its parent writable".formatted(before, now),
                    e);
        }
    }

    private static boolean isAgents(Path agents) throws IOException {
        if (!Files.isDirectory(agents)) {
            return false;
        }
        try (Stream<Path> all = Files.walk(agents)) {
            return all.map(file -> file.getFileName().toString())
                    .anyMatch(name -> name.equals("jobs.yaml") || name.equals("jobs.yml"));
        }
    }
}
