package dev.skep.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/**
 * An image that a model is shown. Its bytes are read when a request is written, so that a
 * conversation holds none.
 *
 * @param name as the model asked for it
 * @param file a copy that is the runner's own, named by its checksum
 */
public record ImageFile(String name, String mimeType, long bytes, Path file) {
    /** More than any image costs with any provider, however large it is. */
    public static final long MOST_TOKENS = 12_000;

    /** What one of a usual size costs, until a provider has counted. */
    public static final long USUAL_TOKENS = 1_600;

    /** Identifies what is in it. */
    public String checksum() {
        return String.valueOf(file.getFileName());
    }

    /** Empty if the copy is no longer kept. */
    public Optional<String> base64() {
        try {
            return Optional.of(Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
        } catch (IOException notKept) {
            return Optional.empty();
        }
    }

    /** How many characters {@link #base64()} has. */
    public long base64Length() {
        return Files.exists(file) ? Math.ceilDiv(bytes, 3) * 4 : 0;
    }
}
