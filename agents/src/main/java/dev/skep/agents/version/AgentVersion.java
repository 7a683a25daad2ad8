package dev.skep.agents.version;

import dev.skep.agents.AgentTables;
import dev.skep.directory.secret.SecretDigest;
import dev.skep.kernel.id.AgentId;
import dev.skep.store.feed.RowCodec;
import dev.skep.store.feed.RowColumns;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An agent's file as it was from some time on.
 *
 * @param number counts from 1 for each agent, over all hosts that it ever has
 * @param hash of the content
 * @param author who made it; null where somebody changed the file on the host itself
 * @param hub the address of the hub that it came by, as the host calls it; null if made on the host
 * @param changeId the job that asked for it; null if none did
 * @param content the file's text with {@code ${…}} as written, without secrets
 */
public record AgentVersion(
        AgentId agent,
        long number,
        String hash,
        @Nullable String author,
        @Nullable String hub,
        @Nullable String reason,
        @Nullable String changeId,
        String content,
        Instant createdAt) {
    /** How many versions of one agent are kept. */
    public static final int KEPT = 50;

    private static final int TAG_LENGTH = 12;

    public static final RowCodec<AgentVersion> ROWS =
            RowCodec.<AgentVersion>of(AgentTables.AGENT_VERSIONS)
                    .column("user_id", version -> version.agent().value())
                    .column("slot", version -> slot(version.number()))
                    .column("number", AgentVersion::number)
                    .column("hash", AgentVersion::hash)
                    .column("author", AgentVersion::author)
                    .column("hub", AgentVersion::hub)
                    .column("reason", AgentVersion::reason)
                    .column("change_id", AgentVersion::changeId)
                    .column("content", AgentVersion::content)
                    // A slot is used again, and keeps the time of its first use as created_at.
                    .column("updated_at", AgentVersion::createdAt)
                    .reads(AgentVersion::read);

    private static AgentVersion read(RowColumns row) {
        return new AgentVersion(
                AgentId.stored(row.text("user_id")),
                row.number("number"),
                row.text("hash"),
                row.textOrNull("author"),
                row.textOrNull("hub"),
                row.textOrNull("reason"),
                row.textOrNull("change_id"),
                row.text("content"),
                row.time("updated_at"));
    }

    /** The same version with a text from which more was taken out. */
    AgentVersion withContent(String text) {
        return new AgentVersion(
                agent, number, hash(text), author, hub, reason, changeId, text, createdAt);
    }

    /** Where a version is kept: the newest takes the place of the oldest. */
    static String slot(long number) {
        return "%02d".formatted((number - 1) % KEPT);
    }

    /** What names this version and no other text, for whoever asks to change it. */
    public String tag() {
        return number + "-" + hash.substring(0, Math.min(TAG_LENGTH, hash.length()));
    }

    /** The number in a tag; 0 if it is none. */
    public static long numberIn(String tag) {
        int dash = tag.indexOf('-');
        try {
            return dash < 1 ? 0 : Long.parseLong(tag.substring(0, dash));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /** The hash of a file's text. */
    public static String hash(String content) {
        return SecretDigest.sha256(content);
    }
}
