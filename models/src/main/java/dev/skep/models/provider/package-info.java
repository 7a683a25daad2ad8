/**
 * Real models over HTTP, and the only package that uses LangChain4j: it builds requests and
 * assembles replies, while the connection, its time limits and the interpretation of failures and
 * usage are ours.
 */
@NullMarked
package dev.skep.models.provider;

import org.jspecify.annotations.NullMarked;
