package dev.skep.runner.agent;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.store.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;

/** Another text for an agent's file that is there already. */
public final class AgentFileText {
    private AgentFileText() {}

    /**
     * Writes it, on the disk when this returns; a reader sees the old text or the new one. A link
     * stays a link, and a file that only its owner may read stays so.
     */
    public static void replace(Path file, String text) {
        try {
            Path target = file.toRealPath();
            DurableFiles.replace(target, access(target), text);
        } catch (IOException e) {
            throw new SkepException(
                    ErrorCode.DATA_DIR_UNUSABLE,
                    "cannot write %s; make its folder writable".formatted(file),
                    e);
        }
    }

    private static DurableFiles.Access access(Path file) throws IOException {
        PosixFileAttributeView view =
                Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view == null
                        || view.readAttributes()
                                .permissions()
                                .contains(PosixFilePermission.OTHERS_READ)
                ? DurableFiles.Access.USUAL
                : DurableFiles.Access.OWNER_ONLY;
    }
}
