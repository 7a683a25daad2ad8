package dev.skep.transport.http;

import java.net.InetAddress;
import java.util.Locale;

/** What counts as this machine. */
public final class Loopback {
    private Loopback() {}

    /** Whether an address to listen on, or a peer's, is reachable from this machine only. */
    public static boolean isLoopback(String address) {
        String bare = withoutBrackets(address);
        return bare.equals("localhost")
                || (isLiteral(bare) && InetAddress.ofLiteral(bare).isLoopbackAddress());
    }

    /** Whether a name is an address written out, which no foreign DNS can point here. */
    static boolean isLiteral(String name) {
        try {
            InetAddress.ofLiteral(withoutBrackets(name));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static String withoutBrackets(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("[") && lower.endsWith("]")
                ? lower.substring(1, lower.length() - 1)
                : lower;
    }
}
