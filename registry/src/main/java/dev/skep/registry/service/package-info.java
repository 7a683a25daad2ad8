/**
 * One org's registry at work. A single thread owns the roster: it takes what waits, applies it,
 * writes all of it in one transaction, and only then answers and announces, in that order. So what
 * was announced is stored, and an {@code init} and the events after it never miss a change. A
 * second thread sends the announcements, dashboards first.
 */
@NullMarked
package dev.skep.registry.service;

import org.jspecify.annotations.NullMarked;
