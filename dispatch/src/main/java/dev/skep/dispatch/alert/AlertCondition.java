package dev.skep.dispatch.alert;

import dev.skep.kernel.id.OrgId;

/**
 * Something another feature says is wrong.
 *
 * @param certain false while it may pass by itself: nobody is told yet, nor that it is over
 */
public record AlertCondition(OrgId org, String subject, String message, boolean certain) {}
