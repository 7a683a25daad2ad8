/**
 * Secrets for the files of agents: which hosts they are meant for, and for which they are sealed.
 * Their values are sealed before they come here and opened on their hosts only.
 */
@NullMarked
package dev.skep.dispatch.secret;

import org.jspecify.annotations.NullMarked;
