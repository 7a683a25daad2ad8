package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.RunId;

/** A run that a host reports to be working on. */
public record ActiveRun(RunId run, int attempt) {}
