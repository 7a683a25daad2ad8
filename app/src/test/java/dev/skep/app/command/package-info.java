@NullMarked
package dev.skep.app.command;

import org.jspecify.annotations.NullMarked;
