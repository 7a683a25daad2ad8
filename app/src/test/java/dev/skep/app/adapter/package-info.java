/** What hubs and agents ask of each other through the app. */
@NullMarked
package dev.skep.app.adapter;

import org.jspecify.annotations.NullMarked;
