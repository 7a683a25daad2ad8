@NullMarked
package dev.skep.cli.command;

import org.jspecify.annotations.NullMarked;
