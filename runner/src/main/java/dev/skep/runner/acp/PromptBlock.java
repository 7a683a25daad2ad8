package dev.skep.runner.acp;

/** A part of a prompt. */
public sealed interface PromptBlock {
    /** Words. */
    record Text(String text) implements PromptBlock {}

    /** A picture, for agents that take them; the data is Base64. */
    record Image(String mimeType, String data) implements PromptBlock {}
}
