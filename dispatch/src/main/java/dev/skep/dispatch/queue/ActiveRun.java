package dev.skep.dispatch.queue;

import dev.skep.dispatch.job.RunId;

/** A run a host says it is working on. */
public record ActiveRun(RunId run, int attempt) {}
