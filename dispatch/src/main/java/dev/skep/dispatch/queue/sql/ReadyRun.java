package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.queue.Assignment;

/** A run that may be taken; one that steers is not counted. */
record ReadyRun(Assignment assignment, boolean steering) {}
