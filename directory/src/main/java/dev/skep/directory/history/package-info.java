/**
 * When hosts were connected to this hub: a period opens with a link, closes with it, and says why.
 * A hub process that ends without a word leaves its periods open; the next link of the host, or the
 * next start on a file, closes them.
 */
@NullMarked
package dev.skep.directory.history;

import org.jspecify.annotations.NullMarked;
