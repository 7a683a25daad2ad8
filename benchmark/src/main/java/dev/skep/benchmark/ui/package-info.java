/** What the supervisor's pages cost a browser. */
@NullMarked
package dev.skep.benchmark.ui;

import org.jspecify.annotations.NullMarked;
