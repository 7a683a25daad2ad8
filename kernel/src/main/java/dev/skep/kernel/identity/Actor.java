package dev.skep.kernel.identity;

import dev.skep.kernel.id.OrgId;

/**
 * Who does something and from where, for the audit log: an address, or {@code local} for the
 * process itself and its command line.
 */
public record Actor(Principal principal, String from) {
    public static final String LOCAL = "local";

    /** This process acting for itself. */
    public static Actor local(OrgId org) {
        return new Actor(new Principal.Local(org), LOCAL);
    }

    public OrgId org() {
        return principal.org();
    }
}
