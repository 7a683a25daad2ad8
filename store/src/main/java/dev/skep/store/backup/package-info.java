/**
 * A backup as one stream: a magic word, then gzip around a sequence of records. The first is {@code
 * HEADER}; then come {@code FILE}s and {@code DATABASE}s, each database followed by its {@code
 * TABLE}s and each table by its {@code ROW}s; {@code END} closes the stream with the SHA-256 of
 * everything before it. A stream without an end, or with another checksum, is not a backup. Rows
 * are values, not pages of a file, so a backup of either database can be restored into either.
 */
@NullMarked
package dev.skep.store.backup;

import org.jspecify.annotations.NullMarked;
