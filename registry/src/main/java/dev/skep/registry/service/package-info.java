/**
 * One org's registry at run time. A single thread owns the roster: it takes the waiting steps,
 * applies them, writes all changes in one transaction, and only then answers and announces, in that
 * order. Therefore everything that was announced is stored, and an {@code init} and the events
 * after it never miss a change. A second thread sends the announcements, dashboards first.
 */
@NullMarked
package dev.skep.registry.service;

import org.jspecify.annotations.NullMarked;
