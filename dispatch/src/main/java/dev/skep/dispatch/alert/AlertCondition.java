package dev.skep.dispatch.alert;

import dev.skep.kernel.id.OrgId;

/**
 * A problem that another feature reports.
 *
 * @param certain false while it may pass by itself: no message is sent yet, nor one that it is over
 */
public record AlertCondition(OrgId org, String subject, String message, boolean certain) {}
