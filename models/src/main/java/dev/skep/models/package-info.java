/**
 * Language models behind one port: {@link dev.skep.models.Model} answers a request or says in a
 * typed way why it could not; everything about a provider's wire stays in here.
 */
@NullMarked
package dev.skep.models;

import org.jspecify.annotations.NullMarked;
