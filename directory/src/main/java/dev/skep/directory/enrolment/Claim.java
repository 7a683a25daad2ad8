package dev.skep.directory.enrolment;

import dev.skep.directory.host.LinkStatement;
import java.util.Base64;

/**
 * What a host says about itself, and its signature over it.
 *
 * @param name the host's name, for people; not part of what is signed
 */
public record Claim(LinkStatement statement, String name, String signature) {
    byte[] signed() {
        try {
            return Base64.getUrlDecoder().decode(signature);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
