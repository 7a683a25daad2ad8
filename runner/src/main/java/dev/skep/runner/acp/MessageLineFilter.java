package dev.skep.runner.acp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tells messages from other lines, counts those and keeps the first few. */
final class MessageLineFilter {
    private static final int KEPT = 10;
    private static final int LONGEST = 200;

    private final int most;
    private final List<String> sample = new ArrayList<>();
    private long count;

    MessageLineFilter(int most) {
        this.most = most;
    }

    /**
     * The message in a line; null if there is none.
     *
     * @throws StreamConstraintsException for JSON with more parts than memory is given for
     */
    @Nullable JsonNode message(byte[] line, JsonMapper mapper) {
        if (isBlank(line)) {
            return null;
        }
        try {
            JsonNode read = mapper.readTree(line);
            if (read != null && read.isObject()) {
                return read;
            }
        } catch (StreamConstraintsException e) {
            throw e;
        } catch (JacksonException e) {
            // Counted below; the parser's reason says less than the line itself.
        }
        add(line);
        return null;
    }

    private static boolean isBlank(byte[] line) {
        for (byte each : line) {
            if (each != ' ' && each != '\r' && each != '\t') {
                return false;
            }
        }
        return true;
    }

    private synchronized void add(byte[] line) {
        count++;
        if (sample.size() < KEPT) {
            String text =
                    new String(line, 0, Math.min(line.length, LONGEST), StandardCharsets.UTF_8);
            sample.add(text.replaceAll("\\p{Cntrl}", "�") + (line.length > LONGEST ? "…" : ""));
        }
    }

    synchronized boolean isTooMuch() {
        return count > most;
    }

    synchronized long count() {
        return count;
    }

    synchronized List<String> sample() {
        return List.copyOf(sample);
    }

    synchronized String first() {
        return sample.getFirst();
    }
}
