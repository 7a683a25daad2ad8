package dev.skep.kernel.identity;

/** What an operator may do; each role includes those before it. */
public enum Role {
    VIEWER,
    OPERATOR,
    ADMIN;

    public boolean includes(Role needed) {
        return compareTo(needed) >= 0;
    }
}
