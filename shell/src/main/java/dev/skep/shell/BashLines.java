package dev.skep.shell;

/**
 * The lines a shell is fed. The shell is an interactive bash without a terminal: an INT, a syntax
 * error or an unset variable ends the line it reads and not the shell, which then reads the line
 * that reports the end.
 */
final class BashLines {
    private BashLines() {}

    /**
     * Once per bash. Some programs search their input instead of the folder when it is a pipe; what
     * they would read is what an agent may type one day, so they are given none.
     */
    static String prepare(String cwd) {
        return "exec 2>&1;PS1= PS2=;unset HISTFILE MAILCHECK;set +H +o history;"
                + "for _ in rg ag ugrep;do eval \"$_(){ if [[ /dev/fd/0 -ef /dev/fd/8 ]];"
                + "then command $_ \\\"\\$@\\\" </dev/null;else command $_ \\\"\\$@\\\";fi;}\";done;"
                + "cd -- "
                + quoted(cwd)
                + " 2>/dev/null||cd\n";
    }

    /** Forgets what was typed and not read. */
    static String drain() {
        return "while read -r -t 0 -u 8&&read -r -t 0.01 -N 4096 -u 8 _;do :;done 2>/dev/null\n";
    }

    /**
     * Runs the command, then reports, on a descriptor that the command does not get. The empty line
     * between them is what bash 5.2 loses after a command with an unclosed quote.
     */
    static String run(String token, long number, String command) {
        return "builtin eval "
                + quoted(command)
                + " <&8 201>&-\n\n"
                + "{ builtin printf '\\036"
                + token
                + " done "
                + number
                + " %d\\n' \"$?\";builtin jobs -p;builtin printf '%s\\036' \"${PWD:-/}\";}"
                + " >&201 2>/dev/null;exec >&201 2>&1\n";
    }

    /** Quotes a text as one word of one line; bash cannot hold a zero byte. */
    static String quoted(String text) {
        var quoted = new StringBuilder(text.length() + 16).append("$'");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case 0 -> {}
                case '\\' -> quoted.append("\\\\");
                case '\'' -> quoted.append("\\'");
                case '\n' -> quoted.append("\\n");
                default -> {
                    if (c < ' ' || c == 0x7f) {
                        quoted.append("\\x%02x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('\'').toString();
    }
}
