package dev.skep.transport.route;

/**
 * Whose data a route concerns; every route states it, and the isolation test is derived from it.
 */
public enum OrgScope {
    /** The org named in the path as {@code {org}}; another than the caller's does not exist. */
    PATH,
    /** The caller's own org, which the path does not name. */
    CALLER,
    /** No org's data at all: health, signing in, enrolling. */
    NONE
}
