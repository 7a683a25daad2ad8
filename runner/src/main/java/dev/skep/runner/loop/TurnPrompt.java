package dev.skep.runner.loop;

import dev.skep.agents.mail.Mail;
import dev.skep.models.money.Dollars;
import dev.skep.models.money.SpendLimit;
import dev.skep.runner.agent.AgentFile;
import dev.skep.runner.command.MailText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The text around an agent's own prompt: how it works here, and its current state. */
final class TurnPrompt {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    static final String SUMMARISE =
            """
            Your context is nearly full. Write a summary from which you will go on: your task, what is \
            done, what you know (names, paths, ids, decisions), what is open and the next step. \
            Run no command; write only the summary.""";

    static final String NO_COMMAND =
            "You ran no command. Go on, or run 'session wait' or 'session complete'.";

    static final String IN_CIRCLES =
            "You have repeated the same commands with the same results. Do something else, or run 'session wait'.";

    private TurnPrompt() {}

    /** The stable part of every request. */
    static String system(String prompt, AgentFile file, String overview) {
        return """
        %s

        You work on a computer through the tool 'run', one command line per call%s. \
        Commands run in one bash that keeps its folder and variables; nobody can answer its questions, \
        so use options like -y. These commands are built in and run alone, without pipes:
        %s"""
                .formatted(
                        prompt.strip(),
                        file.multipleCommands() ? "" : " and one call per reply",
                        overview);
    }

    /** How the turn begins. */
    static String turn(
            Instant now,
            String address,
            String cwd,
            long tokens,
            AgentFile file,
            OptionalLong left) {
        SpendLimit limit = file.limit();
        String money =
                left.isEmpty()
                        ? ""
                        : " | %s left%s"
                                .formatted(
                                        new Dollars(left.getAsLong()),
                                        limit == null ? "" : " of " + limit);
        return "[%s UTC | %s:%s | %,d of %,d tokens%s]"
                .formatted(TIME.format(now), address, cwd, tokens, file.tokenLimit(), money);
    }

    /** Unread mail, to be read with {@code mail read}. */
    static String mail(List<Mail> unread) {
        return "New mail ('mail read' shows the oldest):\n"
                + unread.stream()
                        .map(mail -> MailText.line(mail, true))
                        .collect(Collectors.joining("\n"));
    }
}
