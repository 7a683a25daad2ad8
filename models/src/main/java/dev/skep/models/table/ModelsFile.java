package dev.skep.models.table;

import dev.skep.models.yaml.Description;
import java.util.List;

/** A {@code models.yaml}. */
public record ModelsFile(@Description("one entry for each model") List<ModelEntry> models) {}
