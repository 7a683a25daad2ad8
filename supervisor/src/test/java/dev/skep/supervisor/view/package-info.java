/** What people are told, without a database or a page. */
@NullMarked
package dev.skep.supervisor.view;

import org.jspecify.annotations.NullMarked;
