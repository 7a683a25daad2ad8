package dev.skep.store.migration;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** One numbered step of the schema; once shipped, its text never changes. */
record Migration(int version, String name, String sql) {

    /** Over the text with plain line ends, so that a checkout's settings do not matter. */
    String checksum() {
        try {
            byte[] text = sql.replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The statements; each ends with a semicolon at the end of a line. */
    List<String> statements() {
        return Arrays.stream(sql.replaceAll("(?m)--.*$", "").split(";\\s*(\\n|$)"))
                .map(String::strip)
                .filter(statement -> !statement.isEmpty())
                .toList();
    }
}
