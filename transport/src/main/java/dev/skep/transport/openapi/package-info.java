/** The OpenAPI document of a process, written from the table of routes that answers requests. */
@NullMarked
package dev.skep.transport.openapi;

import org.jspecify.annotations.NullMarked;
