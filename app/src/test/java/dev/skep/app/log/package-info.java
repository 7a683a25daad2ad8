@NullMarked
package dev.skep.app.log;

import org.jspecify.annotations.NullMarked;
