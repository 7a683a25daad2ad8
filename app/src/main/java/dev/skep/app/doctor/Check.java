package dev.skep.app.doctor;

import java.util.List;

/** One thing to look at; it may be several findings, one for each database, hub or key. */
@FunctionalInterface
interface Check {
    List<Finding> findings();
}
