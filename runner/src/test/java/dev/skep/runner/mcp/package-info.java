@NullMarked
package dev.skep.runner.mcp;

import org.jspecify.annotations.NullMarked;
