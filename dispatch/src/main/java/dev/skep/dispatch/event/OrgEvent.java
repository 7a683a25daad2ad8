package dev.skep.dispatch.event;

import java.time.Instant;
import java.util.Map;

/**
 * An event as sockets and webhooks send it.
 *
 * @param id opaque; pass the last one received to get what followed
 * @param type for example {@code job_run.done}
 * @param data ids only
 */
public record OrgEvent(String id, String type, Instant at, Map<String, Object> data) {}
