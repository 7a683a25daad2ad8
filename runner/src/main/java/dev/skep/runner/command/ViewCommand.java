package dev.skep.runner.command;

import dev.skep.kernel.error.SkepException;
import dev.skep.models.ModelCard;
import dev.skep.models.ToolOffer;
import dev.skep.runner.approval.ApprovalDetail;
import dev.skep.runner.files.FileReading;
import dev.skep.runner.files.ImageFormat;
import dev.skep.runner.files.ImageStore;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code view}: shows a model an image file, read with the agent's rights. */
public final class ViewCommand implements BuiltInCommand {
    /** What each provider takes in one request, in base64, is more than this. */
    private static final int LARGEST = 3_500 * 1024;

    private static final ToolOffer OFFER =
            new ToolOffer(
                    "view",
                    "view",
                    "Shows you an image file: PNG, JPEG, GIF or WebP of at most 3,500 KB.",
                    """
                    {"type":"object","required":["path"],"properties":{"path":{"type":"string","description":"relative to your shell's folder, or absolute"}}}""");

    private final ImageStore images;

    public ViewCommand(ImageStore images) {
        this.images = images;
    }

    @Override
    public String name() {
        return "view";
    }

    @Override
    public String summary() {
        return "look at an image file";
    }

    @Override
    public String usage() {
        return """
          view {"path": "chart.png"}    PNG, JPEG, GIF or WebP, at most 3,500 KB""";
    }

    @Override
    public boolean takesWholeLine() {
        return true;
    }

    @Override
    public boolean suits(ModelCard model) {
        return model.seesImages();
    }

    @Override
    public Optional<ToolOffer> offer() {
        return Optional.of(OFFER);
    }

    @Override
    public Optional<GuardedAction> guarded(String rest) {
        return path(rest)
                .map(EditCommand::plain)
                .map(
                        path ->
                                new GuardedAction(
                                        "view " + path,
                                        new ApprovalDetail(
                                                "view " + path,
                                                "read",
                                                path,
                                                List.of(),
                                                List.of())));
    }

    private static Optional<String> path(String rest) {
        try {
            return Optional.of(Json.fields(rest).text("path"));
        } catch (SkepException wrong) {
            return Optional.empty();
        }
    }

    @Override
    public CommandResult run(Caller caller, List<String> words, @Nullable String input)
            throws InterruptedException {
        Optional<String> path = path(words.getFirst());
        if (path.isEmpty()) {
            return BuiltInCommands.usageError(this, "takes one JSON object with path");
        }
        if (!caller.model().seesImages()) {
            return CommandResult.refused(
                    "view: your model %s cannot see images; 'images: true' in models.yaml says that one can"
                            .formatted(caller.model().name()));
        }
        return switch (caller.files().read(caller.shell().cwd(), path.get(), LARGEST)) {
            case FileReading.Refused(var why) -> refused(path.get(), why);
            case FileReading.Missing _ -> refused(path.get(), "is not there");
            case FileReading.Read read -> shown(caller, path.get(), read.bytes());
        };
    }

    private CommandResult shown(Caller caller, String path, byte[] bytes) {
        Optional<ImageFormat> format = ImageFormat.of(bytes);
        if (format.isEmpty()) {
            return refused(path, "is no PNG, JPEG, GIF or WebP");
        }
        try {
            return CommandResult.detailed(
                    String.format(
                            Locale.ROOT,
                            "%s, %s, %,d bytes: you see it below.",
                            path,
                            format.get(),
                            bytes.length),
                    images.keep(caller.agent().id(), path, format.get(), bytes));
        } catch (IOException e) {
            return refused(path, "cannot be kept to show it to you: " + e.getMessage());
        }
    }

    private static CommandResult refused(String path, String why) {
        return CommandResult.refused("view: %s %s".formatted(path, why));
    }
}
