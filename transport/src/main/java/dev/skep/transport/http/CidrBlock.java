package dev.skep.transport.http;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses that begin with the same bits: 10.0.0.0/8, or one address alone. */
public record CidrBlock(InetAddress base, int bits) {
    private static final Pattern SHAPE = Pattern.compile("([0-9A-Fa-f:.]+)(?:/([0-9]{1,3}))?");

    /** An owner of one IPv6 address has its whole last half. */
    private static final int ONE_CUSTOMER = 64;

    /** Reads an address or ADDRESS/BITS; empty if it is neither. */
    public static Optional<CidrBlock> parse(String text) {
        Matcher parts = SHAPE.matcher(text);
        if (!parts.matches() || !Loopback.isLiteral(parts.group(1))) {
            return Optional.empty();
        }
        InetAddress base = InetAddress.ofLiteral(parts.group(1));
        int all = base.getAddress().length * Byte.SIZE;
        int bits = parts.group(2) == null ? all : Integer.parseInt(parts.group(2));
        return bits > all ? Optional.empty() : Optional.of(new CidrBlock(base, bits));
    }

    boolean contains(InetAddress address) {
        byte[] ours = base.getAddress();
        byte[] theirs = address.getAddress();
        if (ours.length != theirs.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += Byte.SIZE) {
            int free = Math.max(0, Byte.SIZE - (bits - bit));
            int mask = 0xff << free;
            if (((ours[bit / Byte.SIZE] ^ theirs[bit / Byte.SIZE]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }

    /** What limits count an address as: of IPv6, everything one customer usually has. */
    public static String counted(String address) {
        String bare = Loopback.withoutBrackets(address);
        if (!bare.contains(":") || !Loopback.isLiteral(bare)) {
            return bare;
        }
        byte[] bytes = InetAddress.ofLiteral(bare).getAddress();
        if (bytes.length * Byte.SIZE <= ONE_CUSTOMER) {
            return bare;
        }
        StringBuilder half = new StringBuilder();
        for (int i = 0; i < ONE_CUSTOMER / Byte.SIZE; i++) {
            half.append("%02x".formatted(bytes[i]));
        }
        return half.append("/64").toString();
    }
}
