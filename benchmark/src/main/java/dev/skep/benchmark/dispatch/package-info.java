/** Jobs per second, beside the queues people use today. */
@NullMarked
package dev.skep.benchmark.dispatch;

import org.jspecify.annotations.NullMarked;
