/** Two scripted agents for a first start: they need no key and show what agents do. */
@NullMarked
package dev.skep.runner.demo;

import org.jspecify.annotations.NullMarked;
