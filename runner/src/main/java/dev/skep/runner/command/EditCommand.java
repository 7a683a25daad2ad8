package dev.skep.runner.command;

import dev.skep.kernel.error.SkepException;
import dev.skep.models.ToolOffer;
import dev.skep.runner.approval.ApprovalDetail;
import dev.skep.runner.files.FileReading;
import dev.skep.runner.files.TextEdit;
import dev.skep.shell.redact.Redactor;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code edit}: the exact replacement of text in a file, with the agent's rights. */
public final class EditCommand implements BuiltInCommand {
    private static final int LARGEST = 1024 * 1024;

    /** Of each side of a change in the log. */
    private static final int LONGEST_SHOWN = 16 * 1024;

    private static final ToolOffer OFFER =
            new ToolOffer(
                    "edit",
                    "edit",
                    "Replaces text in a file. old_text must occur in it exactly once, to the last space, unless all is true. With an empty old_text it makes a new file.",
                    """
                    {"type":"object","required":["path","old_text","new_text"],"properties":{"path":{"type":"string","description":"relative to your shell's folder, or absolute"},"old_text":{"type":"string"},"new_text":{"type":"string"},"all":{"type":"boolean","description":"replaces every occurrence"}}}""");

    /** What a line asks for. */
    private record Wish(String path, String before, String after, boolean all) {}

    private final Redactor redactor;

    public EditCommand(Redactor redactor) {
        this.redactor = redactor;
    }

    @Override
    public String name() {
        return "edit";
    }

    @Override
    public String summary() {
        return "replace text in a file exactly, or make a file";
    }

    @Override
    public String usage() {
        return """
          edit {"path": "a.txt", "old_text": "one", "new_text": "two"}    old_text occurs exactly once
          edit {… "all": true}                                            wherever it occurs
          edit {"path": "new.txt", "old_text": "", "new_text": "…"}       a new file""";
    }

    @Override
    public boolean takesWholeLine() {
        return true;
    }

    @Override
    public Optional<ToolOffer> offer() {
        return Optional.of(OFFER);
    }

    @Override
    public Optional<GuardedAction> guarded(String rest) {
        return wish(rest).map(this::guarded);
    }

    private GuardedAction guarded(Wish wish) {
        String path = plain(wish.path());
        @Nullable String before = wish.before().isEmpty() ? null : shown(wish.before());
        var change = new ApprovalDetail.FileChange(path, before, shown(wish.after()));
        return new GuardedAction(
                "edit " + path,
                new ApprovalDetail("edit " + path, "edit", path, List.of(change), List.of()));
    }

    /** So that a rule for a folder does not hold for what is above it. */
    static String plain(String path) {
        try {
            return Path.of(path).normalize().toString();
        } catch (InvalidPathException e) {
            return path;
        }
    }

    private static Optional<Wish> wish(String rest) {
        try {
            JsonFields fields = Json.fields(rest);
            String path = fields.text("path");
            return Optional.of(
                    new Wish(
                            path,
                            fields.longText("old_text", LARGEST),
                            fields.longText("new_text", LARGEST),
                            fields.flag("all")));
        } catch (SkepException wrong) {
            return Optional.empty();
        }
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input)
            throws InterruptedException {
        Optional<Wish> wish = wish(words.getFirst());
        if (wish.isEmpty()) {
            return BuiltInCommands.usageError(
                    this, "takes one JSON object with path, old_text and new_text");
        }
        Wish wanted = wish.get();
        FileReading reading = caller.files().read(caller.shell().cwd(), wanted.path(), LARGEST);
        return switch (reading) {
            case FileReading.Refused(var why) -> refused(wanted, why);
            case FileReading.Missing missing -> create(caller, wanted, missing);
            case FileReading.Read read -> edit(caller, wanted, read);
        };
    }

    private static CommandResult refused(Wish wish, String why) {
        return CommandResult.refused("edit: %s %s".formatted(wish.path(), why));
    }

    private CommandResult create(Caller caller, Wish wish, FileReading.Missing missing)
            throws InterruptedException {
        if (!wish.before().isEmpty()) {
            return refused(wish, "is not there; with an empty old_text it would be made");
        }
        byte[] bytes = wish.after().getBytes(StandardCharsets.UTF_8);
        Optional<String> problem = caller.files().create(missing, bytes);
        return problem.isPresent()
                ? refused(wish, problem.get())
                : CommandResult.detailed(
                        "Made %s.".formatted(wish.path()),
                        detail(missing.path(), List.of(new TextEdit.Piece(1, "", wish.after()))));
    }

    private CommandResult edit(Caller caller, Wish wish, FileReading.Read read)
            throws InterruptedException {
        Optional<String> text = TextEdit.text(read.bytes());
        if (text.isEmpty()) {
            return refused(wish, "is no text in UTF-8");
        }
        if (wish.before().isEmpty()) {
            return refused(wish, "is there already; say in old_text what is to be replaced");
        }
        return switch (TextEdit.of(text.get(), wish.before(), wish.after(), wish.all())) {
            case TextEdit.Result.Refused(var why) -> refused(wish, why);
            case TextEdit.Result.Edited edited -> {
                byte[] bytes = edited.text().getBytes(StandardCharsets.UTF_8);
                Optional<String> problem =
                        bytes.length > LARGEST
                                ? Optional.of(
                                        "would be larger than %d KB".formatted(LARGEST / 1024))
                                : caller.files().replace(read, bytes);
                yield problem.isPresent()
                        ? refused(wish, problem.get())
                        : CommandResult.detailed(
                                said(wish, edited), detail(read.path(), edited.pieces()));
            }
        };
    }

    private static String said(Wish wish, TextEdit.Result.Edited edited) {
        int line = edited.pieces().getFirst().line();
        return edited.times() == 1
                ? "Edited %s, line %d.".formatted(wish.path(), line)
                : "Edited %s in %d places, the first in line %d."
                        .formatted(wish.path(), edited.times(), line);
    }

    /** Each text without secrets before it is JSON, in which they would look different. */
    private String detail(Path path, List<TextEdit.Piece> pieces) {
        List<Map<String, Object>> diffs = new ArrayList<>();
        for (TextEdit.Piece piece : pieces) {
            Map<String, Object> diff = new LinkedHashMap<>();
            diff.put("path", redactor.redact(path.toString()));
            diff.put("line", piece.line());
            diff.put("oldText", shown(piece.before()));
            diff.put("newText", shown(piece.after()));
            diffs.add(diff);
        }
        return Json.text(Map.of("diffs", diffs));
    }

    private String shown(String text) {
        String clean = redactor.redact(text);
        return clean.length() <= LONGEST_SHOWN ? clean : clean.substring(0, LONGEST_SHOWN) + "\n…";
    }
}
