/**
 * Row sync between runners and hubs; docs/protocol.md describes it in full.
 *
 * <p>Every row has one owner, which stamps it. A hub pulls the rows that it lacks in stamp order,
 * gives each stored row a stamp in its own order, and forwards in that order. A position is valid
 * only while the timeline that made it exists; rows and the position that they reach are stored in
 * one transaction; a row is replaced only by a newer version from its owner. The two ends are state
 * machines without threads or sockets: events arrive as method calls, messages leave through a
 * {@link dev.skep.sync.SyncConnection}, transactions run through a {@link dev.skep.sync.SyncStore}.
 */
@NullMarked
package dev.skep.sync;

import org.jspecify.annotations.NullMarked;
