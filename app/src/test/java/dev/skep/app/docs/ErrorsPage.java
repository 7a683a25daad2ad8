package dev.skep.app.docs;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.ExitStatus;

/** Every way the product says no, and what to do about it. */
final class ErrorsPage {
    private ErrorsPage() {}

    static String write(String earlier) {
        Markdown page = new Markdown(earlier);
        page.block("# Errors");
        page.block(
                """
                An error of a command is one line on standard error, `skep: what is wrong and how to fix it [code]`. Over HTTP it is a problem document (RFC 9457) with the
                same `code`. Codes are stable: they are added, never renamed. [troubleshooting.md](../troubleshooting.md) shows the common ones as people meet them.""");
        page.block("## Exit statuses");
        page.head("status", "means");
        for (ExitStatus exit : ExitStatus.values()) {
            page.describedRow(1, Integer.toString(exit.status()));
        }
        page.line("");
        page.block("## Codes");
        page.head("code", "exit", "HTTP", "means", "what to do");
        for (ErrorCode code : ErrorCode.values()) {
            page.describedRow(
                    2,
                    "`" + code.code() + "`",
                    Integer.toString(code.exit().status()),
                    Integer.toString(code.httpStatus()));
        }
        return page.toString();
    }
}
