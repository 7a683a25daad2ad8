package dev.skep.kernel.job;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.util.regex.Pattern;

/** What secrets for agents' files are called, and what each is sealed for. */
public final class SecretName {
    private static final Pattern SHAPE = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

    private SecretName() {}

    public static boolean isValid(String name) {
        return SHAPE.matcher(name).matches();
    }

    /** The name, if it is one. */
    public static String require(String name) {
        if (!isValid(name)) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST,
                    "a secret's name has at most 64 capital letters, digits and _, as DEPLOY_TOKEN");
        }
        return name;
    }

    /** What a seal is bound to, so that it is worth nothing under another name or once replaced. */
    public static String purpose(String host, String name, long version) {
        return String.join("\n", "skep secret", host, name, Long.toString(version));
    }
}
