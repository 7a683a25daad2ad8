package dev.skep.models.scripted;

import dev.skep.models.CommandCall;
import dev.skep.models.ModelMessage;
import dev.skep.models.ModelRequest;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The input of a scripted model: one request, in the forms that conditions test. */
final class ScriptContext {
    private static final Pattern PLACE = Pattern.compile("\\{\\{(turn|\\d)\\}\\}");

    private final ModelRequest request;
    private final List<ModelMessage> sinceReply;
    private final String everything;
    private final int turn;

    ScriptContext(ModelRequest request) {
        this.request = request;
        List<ModelMessage> messages = request.messages();
        int after = messages.size();
        while (after > 0 && !(messages.get(after - 1) instanceof ModelMessage.Replied)) {
            after--;
        }
        this.sinceReply = messages.subList(after, messages.size());
        this.everything = text(messages);
        this.turn = (int) messages.stream().filter(ModelMessage.Replied.class::isInstance).count();
    }

    int turn() {
        return turn;
    }

    boolean holds(ModelScript.@Nullable When when) {
        return when == null
                || (matches(when.last(), text(sinceReply))
                        && matches(when.seen(), everything)
                        && (when.unseen() == null || when.unseen().find(everything).isEmpty())
                        && matches(when.system(), request.system())
                        && (when.turn() == null || turn == when.turn())
                        && (when.fromTurn() == null || turn >= when.fromTurn())
                        && (when.toTurn() == null || turn <= when.toTurn())
                        && (when.every() == null || turn % when.every() == 0)
                        && (when.summary() == null || when.summary() == !request.mayCommand()));
    }

    private static boolean matches(@Nullable Regex regex, String text) {
        return regex == null || regex.find(text).isPresent();
    }

    /** Puts the turn and the groups of the step's {@code last} into a text. */
    String filled(String template, ModelScript.@Nullable When when) {
        Optional<MatchResult> found =
                when == null || when.last() == null
                        ? Optional.empty()
                        : when.last().find(text(sinceReply));
        return PLACE.matcher(template)
                .replaceAll(
                        place ->
                                Matcher.quoteReplacement(
                                        place.group(1).equals("turn")
                                                ? "" + turn
                                                : group(found, Integer.parseInt(place.group(1)))));
    }

    private static String group(Optional<MatchResult> found, int number) {
        return found.filter(match -> number <= match.groupCount())
                .map(match -> match.group(number))
                .orElse("");
    }

    /** A quarter of the characters, rounded up. */
    long inputTokens() {
        return Math.ceilDiv((long) request.system().length() + everything.length(), 4);
    }

    private static String text(List<ModelMessage> messages) {
        return messages.stream()
                .map(
                        message ->
                                switch (message) {
                                    case ModelMessage.Said said -> said.text();
                                    case ModelMessage.Output output -> output.text();
                                    case ModelMessage.Replied replied ->
                                            replied.text() + "\n" + commands(replied.commands());
                                })
                .collect(Collectors.joining("\n"));
    }

    private static String commands(List<CommandCall> calls) {
        return calls.stream().map(CommandCall::command).collect(Collectors.joining("\n"));
    }
}
