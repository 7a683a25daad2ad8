package dev.skep.dispatch.secret;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.Ids;

/** Where a secret is meant to be. */
public sealed interface SecretTarget {
    String HOST_PREFIX = "host:";
    String LABEL_PREFIX = "label:";

    /** As it is stored and sent. */
    String text();

    record OneHost(HostId host) implements SecretTarget {
        @Override
        public String text() {
            return HOST_PREFIX + host.value();
        }
    }

    /**
     * All hosts with a label, also those that get it later.
     *
     * @param label its name and value, as {@code env:prod}
     */
    record Labelled(String label) implements SecretTarget {
        @Override
        public String text() {
            return LABEL_PREFIX + label;
        }
    }

    static SecretTarget parse(String text) {
        if (text.startsWith(HOST_PREFIX)) {
            String id = text.substring(HOST_PREFIX.length());
            if (Ids.isUlid(id)) {
                return new OneHost(new HostId(id));
            }
        }
        if (text.startsWith(LABEL_PREFIX)) {
            String label = text.substring(LABEL_PREFIX.length());
            if (label.matches("[^:]{1,100}:[^\\p{Cntrl}]{1,200}")) {
                return new Labelled(label);
            }
        }
        throw new SkepException(
                ErrorCode.BAD_REQUEST, "'%s' must be host:ID or label:NAME:VALUE".formatted(text));
    }
}
