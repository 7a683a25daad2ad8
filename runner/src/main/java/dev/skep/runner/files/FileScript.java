package dev.skep.runner.files;

import java.nio.file.Path;
import java.util.Base64;

/** The lines of bash that read and write, with what every Unix has. */
final class FileScript {
    private FileScript() {}

    /**
     * Says whether a file can be read: {@code OK}, its checksum, its size, its path; or why not.
     */
    static String look(Path file, long most) {
        return """
        f=$(readlink -f -- %1$s 2>/dev/null) || f=%1$s
        if [ -d "$f" ]; then echo 'NO is a folder'
        elif [ ! -e "$f" ]; then printf 'MISSING\\n%%s\\n' "$f"
        elif [ ! -f "$f" ]; then echo 'NO is no plain file'
        elif [ ! -r "$f" ]; then echo 'NO may not be read by you'
        elif [ "$(wc -c <"$f")" -gt %2$d ]; then echo 'NO has more than %3$d KB'
        else printf 'OK\\n%%s\\n%%s\\n' "$(cksum <"$f")" "$f"; fi"""
                .formatted(quoted(file), most, most / 1024);
    }

    /** One piece of a file; no program of the pipe ends before it has read all it is sent. */
    static String piece(Path file, int number, int length) {
        return "dd if=%s bs=%d skip=%d count=1 2>/dev/null | base64"
                .formatted(quoted(file), length, number);
    }

    /** Replaces a file whose checksum is still this one, in one step; its mode stays. */
    static String replace(Path file, String check, byte[] bytes) {
        return """
        f=%1$s; t=
        if [ ! -w "$f" ]; then echo 'NO may not be written by you'
        elif [ "$(cksum <"$f")" != %2$s ]; then echo 'NO was changed in the meantime; read it again'
        elif t=$(mktemp "$f.XXXXXX") && cp -p -- "$f" "$t" && %3$s; then echo OK
        else [ -z "$t" ] || rm -f -- "$t"; echo 'NO could not be written'; fi"""
                .formatted(quoted(file), quoted(check), write(bytes));
    }

    /** Makes a file that is not there yet, and the folders above it. */
    static String create(Path file, byte[] bytes) {
        return """
        f=%1$s; t=
        if [ -e "$f" ]; then echo 'NO is there by now; read it'
        elif mkdir -p -- "$(dirname -- "$f")" && t=$(mktemp "$f.XXXXXX") \
        && chmod "$(printf %%o $((0666 & ~0$(umask))))" "$t" && %2$s; then echo OK
        else [ -z "$t" ] || rm -f -- "$t"; echo 'NO could not be written'; fi"""
                .formatted(quoted(file), write(bytes));
    }

    private static String write(byte[] bytes) {
        return "printf %s '"
                + Base64.getEncoder().encodeToString(bytes)
                + "' | base64 -d >\"$t\" && mv -f -- \"$t\" \"$f\"";
    }

    private static String quoted(Object text) {
        return "'" + text.toString().replace("'", "'\\''") + "'";
    }
}
