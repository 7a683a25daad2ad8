/** The HTTP routes of sync: progress, conflicts, quarantine and takeovers. */
@NullMarked
package dev.skep.sync.routes;

import org.jspecify.annotations.NullMarked;
