package dev.skep.dispatch.outgoing;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * Prevents webhooks from reaching what only this machine or its network can reach: an address is
 * resolved once, checked, and then dialled as it is, so that the name cannot change its address in
 * between.
 */
public final class AddressGuard {
    private final boolean privateAllowed;

    public AddressGuard(boolean privateAllowed) {
        this.privateAllowed = privateAllowed;
    }

    /** An address that may be connected to; empty if the name has none. */
    Optional<InetAddress> resolve(String host) throws UnknownHostException {
        List<InetAddress> all = List.of(InetAddress.getAllByName(host));
        // One private address among public ones is refused too: that is never an accident.
        if (!privateAllowed && all.stream().anyMatch(AddressGuard::isPrivate)) {
            return Optional.empty();
        }
        return all.stream().findFirst();
    }

    static boolean isPrivate(InetAddress address) {
        if (address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return true;
        }
        byte[] bytes = address.getAddress();
        return switch (address) {
            case Inet4Address _ -> isPrivate4(bytes, 0);
            case Inet6Address _ -> isPrivate6(bytes);
            default -> true;
        };
    }

    private static boolean isPrivate4(byte[] bytes, int from) {
        int first = bytes[from] & 0xff;
        int second = bytes[from + 1] & 0xff;
        int third = bytes[from + 2] & 0xff;
        return first == 0
                || first == 10
                || first == 127
                || first >= 224
                || (first == 100 && second >= 64 && second < 128)
                || (first == 169 && second == 254)
                || (first == 172 && second >= 16 && second < 32)
                || (first == 192 && second == 168)
                || (first == 192 && second == 0 && third == 0)
                || (first == 198 && (second == 18 || second == 19));
    }

    private static boolean isPrivate6(byte[] bytes) {
        boolean uniqueLocal = (bytes[0] & 0xfe) == 0xfc;
        boolean carriesV4 = isPrefix(bytes, 0x00, 0x64, 0xff, 0x9b) || isPrefix(bytes, 0x20, 0x02);
        boolean embedded =
                isPrefix(bytes, 0x20, 0x02) ? isPrivate4(bytes, 2) : isPrivate4(bytes, 12);
        return uniqueLocal || (carriesV4 && embedded);
    }

    private static boolean isPrefix(byte[] bytes, int... prefix) {
        for (int i = 0; i < prefix.length; i++) {
            if ((bytes[i] & 0xff) != prefix[i]) {
                return false;
            }
        }
        return true;
    }
}
