/** The documents: what they say of the code is true, and the reference is made from the code. */
@NullMarked
package dev.skep.app.docs;

import org.jspecify.annotations.NullMarked;
