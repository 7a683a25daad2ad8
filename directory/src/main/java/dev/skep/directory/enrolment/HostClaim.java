package dev.skep.directory.enrolment;

import dev.skep.directory.host.LinkStatement;
import java.util.Base64;

/**
 * A host's statement about itself, and its signature.
 *
 * @param name the host's name, for people; not part of what is signed
 * @param atOwnAddress whether the address in the statement is this hub's for certain
 */
public record HostClaim(
        LinkStatement statement, String name, String signature, boolean atOwnAddress) {

    /** A claim without an address that this hub knows. */
    public HostClaim(LinkStatement statement, String name, String signature) {
        this(statement, name, signature, false);
    }

    byte[] signed() {
        try {
            return Base64.getUrlDecoder().decode(signature);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
