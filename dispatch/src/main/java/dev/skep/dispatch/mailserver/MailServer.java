package dev.skep.dispatch.mailserver;

import dev.skep.dispatch.outgoing.Smtp;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an org's e-mail is handed in. Its password is not part of it.
 *
 * @param user null where the server asks for no account
 * @param sender the address that messages come from
 */
public record MailServer(
        String host,
        int port,
        Smtp.Security security,
        @Nullable String user,
        String sender,
        Instant updatedAt) {
    private static final int LONGEST = 254;
    private static final Pattern ADDRESS =
            Pattern.compile(
                    "[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?");

    private static final Pattern HOST =
            Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9.:-]{0,252}[A-Za-z0-9])?");

    /** Whether it is an address that can stand in a command and in a header as it is. */
    public static boolean isAddress(String text) {
        return text.length() <= LONGEST && ADDRESS.matcher(text).matches();
    }

    public static boolean isHost(String text) {
        return HOST.matcher(text).matches();
    }

    /** What its sealed password belongs to. */
    static String label(String org) {
        return "mail-server:" + org;
    }
}
