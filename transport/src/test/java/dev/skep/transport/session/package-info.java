/** Tests of sessions on links that are only made up. */
@NullMarked
package dev.skep.transport.session;

import org.jspecify.annotations.NullMarked;
