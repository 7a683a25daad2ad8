/** Clients that other people's programs generate from the document of the HTTP API. */
@NullMarked
package dev.skep.app.client;

import org.jspecify.annotations.NullMarked;
