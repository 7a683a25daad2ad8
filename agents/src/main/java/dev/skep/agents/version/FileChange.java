package dev.skep.agents.version;

import dev.skep.kernel.id.AgentId;
import org.jspecify.annotations.Nullable;

/**
 * What is about to be written into an agent's file, and for whom. It is stored before the file is
 * written, so that a file that was written just before a power cut still has its author.
 *
 * @param path the file below the agents folder
 * @param hash of the text that the file will have
 * @param agent whose file it is
 * @param author who asked for it
 * @param hub the hub that it came by, null if it was made here
 * @param changeId the job that asked for it, null if none did
 */
public record FileChange(
        String path,
        String hash,
        AgentId agent,
        @Nullable String author,
        @Nullable String hub,
        @Nullable String reason,
        @Nullable String changeId) {}
