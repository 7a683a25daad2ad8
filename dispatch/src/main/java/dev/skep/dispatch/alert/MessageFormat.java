package dev.skep.dispatch.alert;

import dev.skep.dispatch.event.OrgEvent;
import dev.skep.kernel.id.OrgId;

/**
 * The message format of a kind of webhook: the body of a request for an alert, an event or a
 * person.
 */
interface MessageFormat {
    /**
     * An alert of an org.
     *
     * @param link opens what it is about; may be empty
     */
    String of(Alert alert, String link);

    String of(OrgId org, OrgEvent event);

    /** What is told to one person. */
    String of(Digest digest);
}
