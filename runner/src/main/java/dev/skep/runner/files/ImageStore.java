package dev.skep.runner.files;

import dev.skep.agents.session.LogEntry;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.models.ImageFile;
import dev.skep.store.file.DurableFiles;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Copies of the images that agents looked at, in the data dir and named by their checksums: what a
 * model saw it sees again after a restart, also if the file has changed. The newest of each agent
 * are kept. Thread-safe for different agents.
 */
public final class ImageStore {
    /** Of one agent. */
    private static final long MOST_KEPT = 64L << 20;

    private static final Pattern CHECKSUM = Pattern.compile("[0-9a-f]{32}");
    private static final String KEY = "image";

    private final Path folder;

    /** Makes its folders when the first image comes. */
    public ImageStore(Path folder) {
        this.folder = folder;
    }

    /** Keeps an image; returns what a log line holds of it. */
    public String keep(AgentId agent, String name, ImageFormat format, byte[] bytes)
            throws IOException {
        String checksum = checksum(bytes);
        Path own = folder.resolve(agent.value());
        DurableFiles.createFolders(own);
        DurableFiles.replace(own.resolve(checksum), DurableFiles.Access.OWNER_ONLY, bytes);
        forgetOldest(own);
        Map<String, Object> image = new LinkedHashMap<>();
        image.put("name", name);
        image.put("type", format.mimeType());
        image.put("bytes", bytes.length);
        image.put("checksum", checksum);
        return Json.text(Map.of(KEY, image));
    }

    /** The image that a line of the log tells of, if it does. */
    public Optional<ImageFile> of(LogEntry entry) {
        String detail = entry.detail();
        if (entry.type() != LogEntry.Type.OUTPUT || detail == null) {
            return Optional.empty();
        }
        try {
            Path own = folder.resolve(entry.session().agent().value());
            return Json.fields(detail)
                    .object(KEY)
                    .filter(image -> CHECKSUM.matcher(image.text("checksum")).matches())
                    .map(
                            image ->
                                    new ImageFile(
                                            image.text("name"),
                                            image.text("type"),
                                            image.number("bytes"),
                                            own.resolve(image.text("checksum"))));
        } catch (SkepException somethingElse) {
            return Optional.empty();
        }
    }

    /** Half of it is enough to tell images apart, and has not the shape of a key. */
    private static String checksum(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, digest.length / 2);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void forgetOldest(Path own) throws IOException {
        record Kept(Path file, long bytes, Instant when) {}
        List<Kept> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(own)) {
            for (Path file : files.toList()) {
                FileTime when = Files.getLastModifiedTime(file);
                all.add(new Kept(file, Files.size(file), when.toInstant()));
            }
        }
        all.sort(Comparator.comparing(Kept::when));
        long bytes = all.stream().mapToLong(Kept::bytes).sum();
        for (Kept kept : all) {
            if (bytes <= MOST_KEPT) {
                return;
            }
            DurableFiles.delete(kept.file());
            bytes -= kept.bytes();
        }
    }
}
