/**
 * Passes the model calls of other programs on to their providers, never without the money for them.
 *
 * <pre>
 *  call:  Authenticated ──▶ Read ──▶ Reserved ──▶ Asked ──▶ Streaming ──▶ Booked
 *             │ 401           │ refused  │ refused     │ provider's error, cut, cancelled
 *             ▼               ▼          ▼             ▼
 *           (costs nothing)                        Booked: nothing, or up to what was reserved
 * </pre>
 *
 * <p>A program has a token of its own that is worth nothing elsewhere; the provider's key stays
 * here. What a call may cost is stored before its first byte leaves, so that no crash can spend
 * more than the limit. A body is changed by replacing single numbers and names in its bytes, never
 * by writing it anew.
 */
@NullMarked
package dev.skep.models.gateway;

import org.jspecify.annotations.NullMarked;
