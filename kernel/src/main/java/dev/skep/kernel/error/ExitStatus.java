package dev.skep.kernel.error;

/** What a command's exit status means to a script. Documented in docs/reference/errors.md. */
public enum ExitStatus {
    OK(0),
    /** The command was understood and could not be done. */
    FAILURE(1),
    /** The command or its configuration is wrong; nothing was opened. */
    USAGE(2),
    /** The machine does not give what is needed: a folder, a port, disk space, a server. */
    ENVIRONMENT(3),
    /** The database is not one this program may write. */
    DATABASE(4);

    private final int status;

    ExitStatus(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }
}
