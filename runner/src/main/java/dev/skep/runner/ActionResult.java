package dev.skep.runner;

/** What came of a person's wish about an agent; the message is for that person. */
public sealed interface ActionResult {
    String message();

    record Done(String message) implements ActionResult {}

    record Refused(String message) implements ActionResult {}
}
