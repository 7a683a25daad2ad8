package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is kept about each server on this host: what it is to run, whether it is to, its log. */
final class ServerFiles {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final long LARGEST_LOG = 10 << 20;

    private final Path folder;

    ServerFiles(Path folder) {
        this.folder = folder;
    }

    /**
     * The desired state of a server.
     *
     * @param hub the hub that owns the server, by the address this host dials; empty if an earlier
     *     version wrote it
     */
    record DesiredState(ServerSpec spec, boolean running, String hub) {
        DesiredState stopped() {
            return new DesiredState(spec, false, hub);
        }
    }

    static boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    void write(String id, DesiredState desiredState) {
        Path file = of(id).resolve("wanted.json");
        try {
            DurableFiles.createFolders(of(id));
            String text =
                    "{\"running\":%s,\"hub\":%s,\"spec\":%s}"
                            .formatted(
                                    desiredState.running(),
                                    Json.text(desiredState.hub()),
                                    desiredState.spec().json());
            DurableFiles.replace(file, DurableFiles.Access.USUAL, text);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    Optional<DesiredState> read(String id) {
        try {
            JsonFields wanted = Json.fields(Files.readString(of(id).resolve("wanted.json")));
            return wanted.object("spec")
                    .map(
                            spec ->
                                    new DesiredState(
                                            ServerSpec.of(spec),
                                            wanted.flag("running"),
                                            wanted.optionalText("hub").orElse("")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    List<String> ids() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(ServerFiles::isId)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    Path of(String id) {
        return folder.resolve(id);
    }

    /** The log to append to; a large one first replaces the previous log. */
    Path log(String id) {
        Path log = of(id).resolve("log.txt");
        try {
            Files.createDirectories(of(id));
            if (Files.exists(log) && Files.size(log) > LARGEST_LOG) {
                Path before = of(id).resolve("log.1.txt");
                Files.deleteIfExists(before);
                DurableFiles.move(log, before);
            }
        } catch (IOException e) {
            throw unusable(e);
        }
        return log;
    }

    private SkepException unusable(IOException e) {
        return new SkepException(
                ErrorCode.DATA_DIR_UNUSABLE,
                "cannot use %s; make it writable by this user".formatted(folder),
                e);
    }

    /** The variable that marks a server's processes, so that they are known again. */
    static String mark(String id) {
        return "SKEP_SERVER_INSTANCE=" + id;
    }
}
