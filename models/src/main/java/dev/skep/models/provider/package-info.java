/**
 * Real models over HTTP, and the only home of LangChain4j: it writes requests and puts replies
 * together, while the connection, its time limits and the reading of failures and usage are ours.
 */
@NullMarked
package dev.skep.models.provider;

import org.jspecify.annotations.NullMarked;
