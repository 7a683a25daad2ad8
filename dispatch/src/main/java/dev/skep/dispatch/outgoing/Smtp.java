package dev.skep.dispatch.outgoing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLSocket;

/**
 * Hands one message to a mail server, over TLS only: a server that is asked for STARTTLS and does
 * not offer it gets neither a password nor the message.
 */
public final class Smtp {
    private static final int LONGEST_LINE = 4_096;
    private static final int MOST_LINES = 100;

    private final PinnedSocket sockets;

    public Smtp(PinnedSocket sockets) {
        this.sockets = sockets;
    }

    /** When a connection begins to be secret. */
    public enum Security {
        /** From its first byte, usually at port 465. */
        TLS,
        /** After the greeting, usually at port 587. */
        STARTTLS;

        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Whose account is used.
     *
     * @param password never printed
     */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return user;
        }
    }

    /** Where a message is handed in. */
    public record Server(String host, int port, Security security, Optional<Login> login) {}

    /**
     * What the server said last.
     *
     * @param code 250 if it took the message
     */
    public record Reply(int code, String text) {
        boolean isFine() {
            return code >= 200 && code < 400;
        }

        /** Whether the same would be refused again. */
        public boolean isFinal() {
            return code >= 500;
        }
    }

    /**
     * Hands a message in; the reply is the one that ended it, whichever step that was.
     *
     * @param message headers and body with line ends of CR and LF
     */
    public Reply send(Server server, String from, String to, String message) throws IOException {
        try (Socket plain = sockets.open(server.host(), server.port())) {
            if (server.security() == Security.TLS) {
                try (SSLSocket tls = sockets.secured(plain, server.host(), server.port())) {
                    Conversation conversation = new Conversation(tls);
                    Reply greeting = conversation.reply();
                    return greeting.isFine()
                            ? conversation.handIn(server, from, to, message)
                            : greeting;
                }
            }
            Conversation before = new Conversation(plain);
            Reply ready = before.startTls();
            if (!ready.isFine()) {
                return ready;
            }
            try (SSLSocket tls = sockets.secured(plain, server.host(), server.port())) {
                return new Conversation(tls).handIn(server, from, to, message);
            }
        }
    }

    /** The commands and replies of one connection. */
    private static final class Conversation {
        private final InputStream in;
        private final OutputStream out;

        Conversation(Socket socket) throws IOException {
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        Reply startTls() throws IOException {
            Reply greeting = reply();
            if (!greeting.isFine()) {
                return greeting;
            }
            Reply offers = say("EHLO skep");
            if (!offers.text().toUpperCase(Locale.ROOT).contains("STARTTLS")) {
                return new Reply(
                        502, "the server does not offer STARTTLS, and nothing is sent without it");
            }
            return say("STARTTLS");
        }

        Reply handIn(Server server, String from, String to, String message) throws IOException {
            Reply last = say("EHLO skep");
            if (last.isFine() && server.login().isPresent()) {
                last = logIn(last, server.login().get());
            }
            if (last.isFine()) {
                last = say("MAIL FROM:<" + from + ">");
            }
            if (last.isFine()) {
                last = say("RCPT TO:<" + to + ">");
            }
            if (last.isFine()) {
                last = say("DATA");
            }
            if (last.isFine()) {
                write(stuffed(message) + "\r\n.\r\n");
                last = reply();
            }
            quit();
            return last;
        }

        /** PLAIN where it is offered, else LOGIN, which some servers have alone. */
        private Reply logIn(Reply offers, Login login) throws IOException {
            String mechanisms =
                    offers.text()
                            .lines()
                            .map(line -> line.toUpperCase(Locale.ROOT))
                            .filter(line -> line.startsWith("AUTH"))
                            .findFirst()
                            .orElse("");
            if (mechanisms.contains("LOGIN") && !mechanisms.contains("PLAIN")) {
                Reply asked = say("AUTH LOGIN");
                asked = asked.isFine() ? say(encoded(login.user())) : asked;
                return asked.isFine() ? say(encoded(login.password())) : asked;
            }
            return say("AUTH PLAIN " + encoded("\0" + login.user() + "\0" + login.password()));
        }

        private static String encoded(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        /**
         * A line with a dot at its beginning gets another one, so that it does not end the text.
         */
        private static String stuffed(String message) {
            String stuffed = message.replace("\r\n.", "\r\n..");
            return stuffed.startsWith(".") ? "." + stuffed : stuffed;
        }

        private void quit() {
            try {
                write("QUIT\r\n");
            } catch (IOException e) {
                // The message was taken or refused by then.
            }
        }

        private Reply say(String command) throws IOException {
            if (command.indexOf('\r') >= 0 || command.indexOf('\n') >= 0) {
                throw new IOException("an address or a name has a line end in it");
            }
            write(command + "\r\n");
            return reply();
        }

        private void write(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** All lines of a reply, without their codes. */
        Reply reply() throws IOException {
            StringBuilder text = new StringBuilder();
            for (int lines = 0; lines < MOST_LINES; lines++) {
                String line = line();
                if (!line.matches("[2-5][0-9]{2}([ -].*)?")) {
                    throw new IOException("the answer is not that of a mail server");
                }
                text.append(text.isEmpty() ? "" : "\n")
                        .append(line.substring(Math.min(4, line.length())));
                if (line.length() == 3 || line.charAt(3) == ' ') {
                    return new Reply(Integer.parseInt(line.substring(0, 3)), text.toString());
                }
            }
            throw new IOException("the answer does not end");
        }

        private String line() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0 || line.size() > LONGEST_LINE) {
                    throw new IOException("the answer ended early");
                }
                line.write(next);
            }
            return line.toString(StandardCharsets.UTF_8).strip();
        }
    }
}
