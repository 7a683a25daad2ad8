package dev.skep.dispatch.mailserver;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/**
 * A message of plain text.
 *
 * @param id stays the same if it is sent again, so that a server can leave out the second one
 * @param from an address
 * @param to an address
 */
public record Email(String id, String from, String to, String subject, String text, Instant at) {
    /** Of an encoded word, which may be 75 long with what is around it; whole characters fit. */
    private static final int WORD = 36;

    private static final int LONGEST_SUBJECT = 200;

    /** As it is handed to a server: whatever is in the texts, it is no header and no end. */
    public String source() {
        String domain = from.substring(from.indexOf('@') + 1);
        return String.join(
                "\r\n",
                "Date: " + DateTimeFormatter.RFC_1123_DATE_TIME.format(at.atOffset(ZoneOffset.UTC)),
                "From: Skep <" + from + ">",
                "To: <" + to + ">",
                "Subject: " + words(subject),
                "Message-ID: <" + id + "@" + domain + ">",
                "Auto-Submitted: auto-generated",
                "MIME-Version: 1.0",
                "Content-Type: text/plain; charset=utf-8",
                "Content-Transfer-Encoding: base64",
                "",
                Base64.getMimeEncoder()
                        .encodeToString(
                                text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** Encoded words, a line each. */
    private static String words(String text) {
        StringBuilder words = new StringBuilder();
        StringBuilder word = new StringBuilder();
        int length = 0;
        for (int c : text.codePoints().limit(LONGEST_SUBJECT).toArray()) {
            String next = Character.toString(Character.isISOControl(c) ? ' ' : c);
            int bytes = next.getBytes(StandardCharsets.UTF_8).length;
            if (length + bytes > WORD) {
                words.append(word(word)).append("\r\n ");
                word.setLength(0);
                length = 0;
            }
            word.append(next);
            length += bytes;
        }
        return words.append(word(word)).toString();
    }

    private static String word(CharSequence text) {
        return "=?utf-8?B?"
                + Base64.getEncoder()
                        .encodeToString(text.toString().getBytes(StandardCharsets.UTF_8))
                + "?=";
    }
}
