@NullMarked
package dev.skep.directory.oidc;

import org.jspecify.annotations.NullMarked;
