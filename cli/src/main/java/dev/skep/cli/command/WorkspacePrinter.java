package dev.skep.cli.command;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.client.ApiClient.Answer;
import dev.skep.transport.route.JsonFields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** Prints where agents work and what they changed there. */
final class WorkspacePrinter {
    private static final long MB = 1L << 20;

    private final CommandContext context;
    private final RunnerCall call;

    WorkspacePrinter(CommandContext context, RunnerCall call) {
        this.context = context;
        this.call = call;
    }

    int list() {
        return call.list(
                context,
                "/api/runner/workspaces",
                "workspaces",
                new TextTable("AGENT", "SIZE", "LIMIT", "BRANCH", "REPOSITORY", "FOLDER"),
                each ->
                        new Object[] {
                            each.shown("agent"),
                            size(each, "bytes") + (each.flag("complete") ? "" : "+"),
                            size(each, "limit"),
                            each.shown("branch"),
                            each.shown("repo"),
                            each.shown("folder")
                        });
    }

    private static String size(JsonFields each, String name) {
        Optional<Long> bytes = each.optionalNumber(name);
        return bytes.map(
                        count ->
                                count < 10 * MB
                                        ? "%,d KB".formatted((count + 1023) / 1024)
                                        : "%,d MB".formatted(count / MB))
                .orElse("");
    }

    /**
     * Prints it in one of its forms.
     *
     * @param output the file that a patch is written to; empty to print it
     */
    int diff(String name, boolean patch, String output, boolean stat) {
        String path = "/api/runner/agents/" + AdminFlags.encoded(name);
        return call.with(
                context,
                api -> {
                    if (patch || !output.isEmpty()) {
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                        api.download(path + "/patch", bytes);
                        write(bytes.toByteArray(), output);
                    } else {
                        print(api, path + "/diff", stat);
                    }
                    return ExitStatus.OK.status();
                });
    }

    private void write(byte[] patch, String output) {
        try {
            if (!output.isEmpty()) {
                DurableFiles.replace(Path.of(output), DurableFiles.Access.USUAL, patch);
                return;
            }
            context.out().print(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(patch)));
            context.out().flush();
        } catch (CharacterCodingException noText) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "the patch is not all UTF-8 text; write it with --output FILE",
                    noText);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.BAD_REQUEST, "%s cannot be written".formatted(output), e);
        }
    }

    private void print(ApiClient api, String path, boolean stat) {
        Answer answer = api.get(path);
        JsonFields diff = answer.fields();
        if (call.json()) {
            context.out().println(RunnerCall.text(answer));
        } else if (stat) {
            TextTable table = new TextTable("FILE", "CHANGE", "ADDED", "DELETED");
            diff.list("files").forEach(file -> row(table, file));
            table.print(context.out());
        } else if (diff.list("files").isEmpty()) {
            context.err().println("nothing is changed");
        } else {
            context.out().print(diff.longText("text", Integer.MAX_VALUE));
        }
        if (diff.flag("cut") && !stat) {
            context.err().println("there is more; --patch prints all of it");
        }
        if (diff.flag("incomplete")) {
            context.err().println("git could not read some of the files");
        }
    }

    private static void row(TextTable table, JsonFields file) {
        String old = file.shown("oldPath");
        table.row(
                (old.isEmpty() ? "" : old + " -> ") + file.shown("path"),
                file.shown("change").toLowerCase(Locale.ROOT),
                file.flag("binary") ? "binary" : file.shown("added"),
                file.flag("binary") ? "" : file.shown("deleted"));
    }
}
