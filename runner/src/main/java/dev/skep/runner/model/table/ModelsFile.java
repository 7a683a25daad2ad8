package dev.skep.runner.model.table;

import dev.skep.runner.yaml.Description;
import java.util.List;

/** A {@code models.yaml}. */
public record ModelsFile(@Description("one entry for each model") List<ModelEntry> models) {}
