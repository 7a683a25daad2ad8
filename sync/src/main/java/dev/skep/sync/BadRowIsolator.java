package dev.skep.sync;

import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.TableRows;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the rows of a page that the database refuses, by trying each alone and undoing it. One bad
 * row must not hold up the stream behind it.
 */
public record BadRowIsolator(List<TableRows> storable, List<QuarantinedRow> refused) {

    public static BadRowIsolator of(SyncStore store, OrgId org, List<TableRows> page) {
        List<TableRows> storable = new ArrayList<>();
        List<QuarantinedRow> refused = new ArrayList<>();
        for (TableRows part : page) {
            List<SyncRow> good = new ArrayList<>();
            for (SyncRow row : part.rows()) {
                TableRows alone = new TableRows(part.table(), List.of(row));
                if (isStorable(store, org, alone)) {
                    good.add(row);
                } else {
                    refused.add(
                            QuarantinedRow.of(part.table(), row, QuarantinedRow.Reason.NOT_STORED));
                }
            }
            if (!good.isEmpty()) {
                storable.add(new TableRows(part.table(), good));
            }
        }
        return new BadRowIsolator(storable, refused);
    }

    private static boolean isStorable(SyncStore store, OrgId org, TableRows alone) {
        try {
            return store.write(
                    tx -> {
                        tx.apply(org, List.of(alone));
                        throw new Undo();
                    });
        } catch (Undo stored) {
            return true;
        } catch (SkepException e) {
            if (!blamesRow(e)) {
                throw e;
            }
            return false;
        }
    }

    /** Whether a failure is about what was written, not about the disk or the server. */
    public static boolean blamesRow(SkepException failure) {
        return switch (failure.code()) {
            case CONFLICT, INTERNAL, BAD_REQUEST, ROW_TOO_LARGE -> true;
            default -> false;
        };
    }

    private static final class Undo extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Undo() {
            super(null, null, false, false);
        }
    }
}
