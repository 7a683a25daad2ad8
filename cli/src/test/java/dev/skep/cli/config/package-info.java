@NullMarked
package dev.skep.cli.config;

import org.jspecify.annotations.NullMarked;
