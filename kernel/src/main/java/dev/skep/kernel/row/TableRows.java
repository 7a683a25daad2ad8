package dev.skep.kernel.row;

import java.util.List;

/** Rows of one table inside a page. */
public record TableRows(SyncTable table, List<SyncRow> rows) {}
