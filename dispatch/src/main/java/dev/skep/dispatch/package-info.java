/** Hosts, servers and jobs of an org: host health, queues, alerts and events. */
@NullMarked
package dev.skep.dispatch;

import org.jspecify.annotations.NullMarked;
