package dev.skep.directory.org;

import dev.skep.kernel.id.OrgId;

/** The org that every database has from the start. */
public final class DefaultOrg {
    /** Made by the migrations; a runner's rows are always of it, since org ids do not travel. */
    public static final OrgId DEFAULT = new OrgId("default");

    private DefaultOrg() {}
}
