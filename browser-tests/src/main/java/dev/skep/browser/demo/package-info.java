/**
 * A made-up fleet that moves: rows in a real SQLite database for what is stored there, lists in
 * memory for what other features own. Enough for every page to have something to show.
 */
@NullMarked
package dev.skep.browser.demo;

import org.jspecify.annotations.NullMarked;
