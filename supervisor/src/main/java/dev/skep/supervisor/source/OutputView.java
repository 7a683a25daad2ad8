package dev.skep.supervisor.source;

/** A piece of what a run printed. */
public record OutputView(long n, String stream, String text) {}
