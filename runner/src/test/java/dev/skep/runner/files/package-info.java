@NullMarked
package dev.skep.runner.files;

import org.jspecify.annotations.NullMarked;
