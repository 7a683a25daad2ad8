/** The pages before a real fleet: a hub and two runners, each a process of its own. */
@NullMarked
package dev.skep.browser.real;

import org.jspecify.annotations.NullMarked;
