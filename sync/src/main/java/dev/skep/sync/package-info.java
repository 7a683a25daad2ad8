/**
 * Row sync between runners and hubs; docs/protocol.md tells it in full.
 *
 * <p>Every row has one owner, which stamps it. A hub pulls what it has not got by stamp order,
 * gives what it stores a place in its own order, and forwards by that. A position is trusted only
 * if the timeline that made it still exists; rows and the position they reach are stored in one
 * transaction; only what is newer, from its owner, replaces anything. The two ends are state
 * machines without threads or sockets: events come in as method calls, messages go out through a
 * {@link dev.skep.sync.SyncConnection}, transactions through a {@link dev.skep.sync.SyncStore}.
 */
@NullMarked
package dev.skep.sync;

import org.jspecify.annotations.NullMarked;
