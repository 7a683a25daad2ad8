/**
 * Language models behind one port: {@link dev.skep.models.Model} answers a request or returns a
 * typed failure. Everything about a provider's wire format stays in here.
 */
@NullMarked
package dev.skep.models;

import org.jspecify.annotations.NullMarked;
