package dev.skep.app.doctor;

import java.util.List;

/** One check; it may have several findings, one for each database, hub or key. */
@FunctionalInterface
interface Check {
    List<Finding> findings();
}
