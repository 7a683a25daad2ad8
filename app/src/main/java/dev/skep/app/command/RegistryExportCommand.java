package dev.skep.app.command;

import dev.skep.app.assembly.RegistryDocuments;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.DataDirFlag;
import dev.skep.kernel.error.ExitStatus;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes what the registry remembers as one JSON document, also while it runs. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        description =
                "Writes the whole state of the registry as JSON, to a file or standard output.")
final class RegistryExportCommand implements Callable<Integer> {
    private static final Path STANDARD_OUTPUT = Path.of("-");

    private final CommandContext context;
    @Mixin private DataDirFlag flags = new DataDirFlag();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "Where to write it; - for standard output, as without it.")
    private @Nullable Path file;

    @Option(names = "--force", description = "Replace an existing file.")
    private boolean force;

    RegistryExportCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        RegistryDocuments documents = new RegistryDocuments(context.configuration(flags));
        if (file == null || file.equals(STANDARD_OUTPUT)) {
            OutputStream out = new BufferedOutputStream(System.out);
            documents.export(out, _ -> {}, total -> {});
            out.flush();
            return ExitStatus.OK.status();
        }
        Path target = context.workingFolder().resolve(file);
        long lines = AtomicFile.at(target, force).write(out -> export(documents, out));
        context.err().printf("%,d lines are in %s%n", lines, target);
        return ExitStatus.OK.status();
    }

    private long export(RegistryDocuments documents, OutputStream out) throws IOException {
        OutputStream buffered = new BufferedOutputStream(out);
        try (ProgressPrinter progress = new ProgressPrinter(context, "export")) {
            long lines = documents.export(buffered, progress::stepTo, progress::maxHint);
            buffered.flush();
            return lines;
        }
    }
}
