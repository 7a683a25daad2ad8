package dev.skep.runner;

/** The result of an operator's action on an agent; the message is for that operator. */
public sealed interface ActionResult {
    String message();

    record Done(String message) implements ActionResult {}

    record Refused(String message) implements ActionResult {}
}
