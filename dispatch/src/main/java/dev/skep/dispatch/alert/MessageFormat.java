package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;

/** The message format of a kind of webhook: the body of a request for an alert or an event. */
interface MessageFormat {
    String of(Alert alert);

    String of(OrgId org, OrgEvent event);
}
