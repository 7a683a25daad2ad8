/**
 * What each org sets about its hosts and jobs. It is read within the transactions that it decides
 * about, so a change counts at once in every process of a hub.
 */
@NullMarked
package dev.skep.dispatch.setting;

import org.jspecify.annotations.NullMarked;
