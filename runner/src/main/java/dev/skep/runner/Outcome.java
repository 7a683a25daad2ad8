package dev.skep.runner;

/** What came of a person's wish about an agent; the message is for that person. */
public sealed interface Outcome {
    String message();

    record Done(String message) implements Outcome {}

    record Refused(String message) implements Outcome {}
}
