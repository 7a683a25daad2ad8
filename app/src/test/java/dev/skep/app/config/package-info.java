@NullMarked
package dev.skep.app.config;

import org.jspecify.annotations.NullMarked;
