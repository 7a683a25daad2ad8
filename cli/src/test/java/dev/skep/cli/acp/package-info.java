@NullMarked
package dev.skep.cli.acp;

import org.jspecify.annotations.NullMarked;
