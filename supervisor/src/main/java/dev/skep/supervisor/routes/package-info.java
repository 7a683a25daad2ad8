/**
 * What the supervisor answers over HTTP: lists, details, the live stream, actions, and its pages.
 */
@NullMarked
package dev.skep.supervisor.routes;

import org.jspecify.annotations.NullMarked;
