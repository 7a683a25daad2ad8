package dev.skep.app.command;

import dev.skep.app.assembly.RegistryDocuments;
import dev.skep.cli.command.CommandContext;
import dev.skep.cli.command.DataDirFlag;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import dev.skep.registry.document.StateImport.Imported;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Merges a document, or an older registry's database, into what the registry remembers. */
@Command(
        name = "import",
        mixinStandardHelpOptions = true,
        description =
                "Merges an exported document, or an older registry's hyper-pi.db; doing it twice changes nothing.")
final class RegistryImportCommand implements Callable<Integer> {
    private final CommandContext context;
    @Mixin private DataDirFlag flags = new DataDirFlag();

    @Parameters(paramLabel = "FILE", description = "A document, a .db file or its folder.")
    private Path file = Path.of("");

    RegistryImportCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Path source = context.workingFolder().resolve(file);
        Path database = Files.isDirectory(source) ? source.resolve("hyper-pi.db") : source;
        if (!Files.isRegularFile(database)) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND, database + " is not there; name a document or a database");
        }
        RegistryDocuments documents = new RegistryDocuments(context.configuration(flags));
        try (ProgressPrinter progress = new ProgressPrinter(context, "import")) {
            return report(
                    documents.importFrom(database, progress::maxHint, progress::stepTo), database);
        }
    }

    private int report(Imported imported, Path source) {
        return switch (imported) {
            case Imported.Done(int count) -> {
                context.err().println("imported " + count + " new or newer lines");
                yield ExitStatus.OK.status();
            }
            case Imported.Invalid(String problem) ->
                    throw new SkepException(
                            ErrorCode.BAD_REQUEST,
                            "%s is not a registry's document, and nothing was changed: %s"
                                    .formatted(source, problem));
        };
    }
}
