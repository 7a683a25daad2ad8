/** What an org wants done about its jobs beyond what every org gets. */
@NullMarked
package dev.skep.dispatch.policy;

import org.jspecify.annotations.NullMarked;
