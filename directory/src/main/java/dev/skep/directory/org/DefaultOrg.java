package dev.skep.directory.org;

import dev.skep.kernel.id.OrgId;

/** What every database knows about orgs before anybody made one. */
public final class DefaultOrg {
    /** Made by the migrations; a runner's rows are always of it, since org ids do not travel. */
    public static final OrgId DEFAULT = new OrgId("default");

    private DefaultOrg() {}
}
