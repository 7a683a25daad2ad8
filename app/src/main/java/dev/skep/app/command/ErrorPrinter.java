package dev.skep.app.command;

import dev.skep.app.log.StackTraceLog;
import dev.skep.cli.command.CommandContext;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;
import dev.skep.kernel.error.SkepException;
import java.nio.file.Path;

/** Turns whatever went wrong in a command into lines a person can act on and an exit status. */
final class ErrorPrinter {
    private final CommandContext context;

    ErrorPrinter(CommandContext context) {
        this.context = context;
    }

    /** For a command line that picocli rejects. */
    int misread(UsageError line) {
        print(line.message() + "; " + line.fix(), ErrorCode.BAD_REQUEST);
        return ExitStatus.USAGE.status();
    }

    /** For what a command threw. */
    int failed(Exception failure) {
        if (failure instanceof SkepException expected) {
            String message = String.valueOf(expected.getMessage());
            message.lines().forEach(line -> print(line, expected.code()));
            return expected.code().exit().status();
        }
        return unexpected(failure);
    }

    /** For failures outside of any command's promise; the trace goes to a file. */
    int unexpected(Throwable failure) {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        String where =
                StackTraceLog.append(
                                context.dataDir(), temporary, context.clock().instant(), failure)
                        .map(file -> "; the details are in " + file)
                        .orElse("; the details could not be written anywhere");
        String what = failure.toString().lines().findFirst().orElse("failure");
        print("unexpected " + what + where, ErrorCode.INTERNAL);
        return ErrorCode.INTERNAL.exit().status();
    }

    private void print(String line, ErrorCode code) {
        context.err().println("skep: " + line.replace('\n', ' ') + " [" + code.code() + "]");
    }
}
