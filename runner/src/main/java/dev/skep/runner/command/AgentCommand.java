package dev.skep.runner.command;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code agent}: who is there, and for a lead its subordinates. */
public final class AgentCommand implements BuiltIn {
    private static final int LINES = 20;

    private final Roster roster;

    public AgentCommand(Roster roster) {
        this.roster = roster;
    }

    @Override
    public String name() {
        return "agent";
    }

    @Override
    public String summary() {
        return "who is there, and your subordinates: list, start, stop, peek";
    }

    @Override
    public String usage() {
        return """
          agent list                    everybody who can be mailed
          agent start NAME ["TASK"]     start a subordinate of yours
          agent stop NAME               stop a subordinate of yours
          agent peek NAME [LINES]       the end of a subordinate's log""";
    }

    @Override
    public Answer run(Caller caller, List<String> words, @Nullable String input) {
        String verb = words.isEmpty() ? "list" : words.getFirst();
        if (verb.equals("list")) {
            return Answer.of(list(caller));
        }
        if (!List.of("start", "stop", "peek").contains(verb)) {
            return BuiltIns.misused(this, "there is no '%s'".formatted(verb));
        }
        if (words.size() < 2) {
            return BuiltIns.misused(this, verb + " needs a name");
        }
        String name = words.get(1);
        return switch (verb) {
            case "start" ->
                    roster.start(
                            caller.agent(),
                            name,
                            input == null
                                    ? String.join(" ", words.subList(2, words.size()))
                                    : input);
            case "stop" -> roster.stop(caller.agent(), name);
            default -> peek(caller, words);
        };
    }

    private Answer peek(Caller caller, List<String> words) {
        Long lines = words.size() < 3 ? Long.valueOf(LINES) : Waits.seconds(words.get(2));
        return lines == null
                ? BuiltIns.misused(this, "peek takes a number of lines")
                : roster.peek(caller.agent(), words.get(1), (int) Math.clamp(lines, 1L, 200L));
    }

    private String list(Caller caller) {
        return roster.members().stream()
                .map(
                        member ->
                                "  %-20s %-18s %s%s"
                                        .formatted(
                                                member.agent().username(),
                                                member.status().stored().replace('_', ' '),
                                                member.agent().title() == null
                                                        ? member.agent()
                                                                .kind()
                                                                .name()
                                                                .toLowerCase(Locale.ROOT)
                                                        : member.agent().title(),
                                                note(caller, member)))
                .collect(Collectors.joining("\n"));
    }

    private static String note(Caller caller, Roster.Member member) {
        if (member.agent().id().equals(caller.agent().id())) {
            return " (you)";
        }
        if (caller.agent().id().equals(member.agent().lead())) {
            return " (your subordinate)";
        }
        return member.agent().id().equals(caller.agent().lead()) ? " (your lead)" : "";
    }
}
