/** The agents of a first start. */
@NullMarked
package dev.skep.runner.demo;

import org.jspecify.annotations.NullMarked;
