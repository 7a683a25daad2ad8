/** The mail server that an org's notifications leave through, and how its messages are written. */
@NullMarked
package dev.skep.dispatch.mailserver;

import org.jspecify.annotations.NullMarked;
