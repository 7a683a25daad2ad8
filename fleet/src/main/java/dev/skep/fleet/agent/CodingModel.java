package dev.skep.fleet.agent;

import dev.skep.testkit.provider.JsonText;
import dev.skep.testkit.provider.ProviderAnswer;
import dev.skep.testkit.provider.ProviderCall;
import dev.skep.testkit.provider.ProviderScript;
import dev.skep.testkit.provider.ProviderUsage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A model that does what it is told, with the tools that the program around it offers: {@code
 * WRITE(path)}, {@code MAIL(to,subject)}, {@code WAIT()}. To all else it says hello. Stateless.
 */
public final class CodingModel implements ProviderScript {
    /** What it says when it is told nothing else. */
    public static final String HELLO = "Hello from the model.";

    /** What it says once a tool has ended. */
    public static final String DONE = "The tool has ended.";

    /** What it says where it is to mail and cannot. */
    public static final String NO_MAIL = "There is no tool that mails.";

    /** What it writes into files. */
    public static final String CONTENT = "written by the model";

    /** What each call is charged for. */
    public static final ProviderUsage USAGE = ProviderUsage.of(1_000, 20);

    private static final Pattern ORDER = Pattern.compile("\\b(WRITE|MAIL|WAIT)\\(([^)\\n]*)\\)");

    @Override
    public ProviderAnswer answer(ProviderCall call) {
        ModelTurn turn = ModelTurn.of(call);
        if (turn.tools().isEmpty()) {
            return ProviderAnswer.say("A title", USAGE);
        }
        if (turn.afterTool()) {
            return ProviderAnswer.say(DONE, USAGE);
        }
        // Quoted is what was said in a turn that was cut.
        Matcher order = ORDER.matcher(turn.said().replaceAll("(?m)^>.*$", ""));
        boolean ordered = order.find();
        String verb = ordered ? order.group(1) : "";
        String what = ordered ? order.group(2) : "";
        return switch (verb) {
            case "WRITE" -> write(turn, what);
            case "MAIL" -> mail(turn, what);
            case "WAIT" -> new ProviderAnswer.Hang("Let me think", USAGE);
            default -> ProviderAnswer.say(HELLO, USAGE);
        };
    }

    private static ProviderAnswer write(ModelTurn turn, String path) {
        Optional<ModelTurn.Offered> tool = turn.tool("write", "Write", "write_file");
        if (tool.isPresent()) {
            String key =
                    List.of("file_path", "filePath", "path").stream()
                            .filter(tool.get().inputs()::contains)
                            .findFirst()
                            .orElse("path");
            return use(
                    tool.get(),
                    "{%s:%s,\"content\":%s}"
                            .formatted(
                                    JsonText.quote(key),
                                    JsonText.quote(path),
                                    JsonText.quote(CONTENT)));
        }
        // Codex has no tool for files: a command, which its sandbox lets write only once it was
        // asked.
        String command = "printf %%s '%s' > '%s'".formatted(CONTENT, path);
        return turn.tool("exec_command", "shell")
                .map(
                        shell ->
                                use(
                                        shell,
                                        "{\"cmd\":%s,\"sandbox_permissions\":\"require_escalated\",\"justification\":\"To write the file.\"}"
                                                .formatted(JsonText.quote(command))))
                .orElseGet(() -> ProviderAnswer.say("There is no tool that writes.", USAGE));
    }

    private static ProviderAnswer mail(ModelTurn turn, String toAndSubject) {
        String[] parts = toAndSubject.split(",", 2);
        String subject = parts.length > 1 ? parts[1].strip() : "a word";
        return turn.tool("mail_send")
                .map(
                        tool ->
                                use(
                                        tool,
                                        "{\"to\":%s,\"subject\":%s,\"body\":\"As you wished.\"}"
                                                .formatted(
                                                        JsonText.quote(parts[0].strip()),
                                                        JsonText.quote(subject))))
                .orElseGet(() -> ProviderAnswer.say(NO_MAIL, USAGE));
    }

    private static ProviderAnswer use(ModelTurn.Offered tool, String input) {
        return new ProviderAnswer.Reply(
                "I will. ",
                List.of(new ProviderAnswer.ToolUse(tool.name(), input, tool.namespace())),
                USAGE,
                Duration.ZERO);
    }
}
