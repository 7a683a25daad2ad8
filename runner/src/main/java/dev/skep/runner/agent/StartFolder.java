package dev.skep.runner.agent;

import dev.skep.shell.HostList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * The folders in which agents' shells may start. Inside the data dir that is only below {@code
 * work/}: the rest is the runner's, including its keys. The real path decides, not a link.
 */
public final class StartFolder {
    private final Path dataDir;
    private final Path work;
    private final HostList remoteFolders;

    public StartFolder(Path dataDir) {
        this.dataDir = dataDir.toAbsolutePath().normalize();
        this.work = this.dataDir.resolve("work");
        this.remoteFolders = HostList.remoteFolders(dataDir);
    }

    /** What a file's {@code folder} means. */
    public Path of(String written) {
        return dataDir.resolve(written).normalize();
    }

    /** Why no agent may start there; empty if one may. */
    public Optional<String> problem(String written) {
        if (StreamSupport.stream(Path.of(written).spliterator(), false)
                .anyMatch(name -> name.toString().equals(".."))) {
            return Optional.of(
                    "'%s' leads upwards; write the folder's whole path".formatted(written));
        }
        Path folder = of(written);
        Optional<Path> real = real(folder);
        if (real.isEmpty()) {
            return Optional.of(
                    "'%s' is a link that leads nowhere; name a folder".formatted(written));
        }
        if (folder.startsWith(work)) {
            if (work.relativize(folder).getName(0).toString().startsWith(".")) {
                return Optional.of(
                        "'%s' is not for agents; name another one below work/".formatted(written));
            }
            // The owner may have moved all of work/ elsewhere, but no link may lead out of it.
            Path straight = real(work).orElse(work).resolve(work.relativize(folder)).normalize();
            return folder.equals(work)
                    ? Optional.of(
                            "'%s' holds every agent's folder; name one below it".formatted(written))
                    : problemIf(
                            !straight.equals(real.get()),
                            "'%s' is a link; name the folder it leads to".formatted(written));
        }
        return problemIf(
                folder.startsWith(dataDir) || real.get().startsWith(real(dataDir).orElse(dataDir)),
                "'%s' is inside the data dir; leave it out, or name a folder below work/"
                        .formatted(written));
    }

    /**
     * The same for a file that came from elsewhere: below {@code work/}, not in another agent's
     * folder, or in a folder of the host's own list.
     *
     * @param others agents with a folder of their own in {@code work/}
     */
    public Optional<String> problemFromElsewhere(String written, List<String> others) {
        Optional<String> always = problem(written);
        if (always.isPresent()) {
            return always;
        }
        Path folder = of(written);
        if (folder.startsWith(work)) {
            String name = work.relativize(folder).getName(0).toString();
            return problemIf(
                    others.contains(name),
                    "'%s' is the folder of %s, and this file came from elsewhere"
                            .formatted(written, name));
        }
        Path real = real(folder).orElse(folder);
        boolean listed =
                remoteFolders.entries().stream()
                        .map(entry -> real(of(entry)).orElse(of(entry)))
                        .anyMatch(real::startsWith);
        return problemIf(
                !listed,
                "'%s' is not below work/, and this file came from elsewhere; list the folder in %s to allow it"
                        .formatted(written, remoteFolders.file()));
    }

    private static Optional<String> problemIf(boolean wrong, String problem) {
        return wrong ? Optional.of(problem) : Optional.empty();
    }

    /** Where a path leads, the part of it that is not made yet included; empty for a dead link. */
    private static Optional<Path> real(Path path) {
        Path there = path;
        while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
            Path above = there.getParent();
            if (above == null) {
                return Optional.of(path);
            }
            there = above;
        }
        try {
            return Optional.of(there.toRealPath().resolve(there.relativize(path)).normalize());
        } catch (IOException leadsNowhere) {
            return Optional.empty();
        }
    }
}
