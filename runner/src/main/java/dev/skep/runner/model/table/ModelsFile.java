package dev.skep.runner.model.table;

import dev.skep.runner.yaml.About;
import java.util.List;

/** A {@code models.yaml}. */
public record ModelsFile(@About("one entry for each model") List<ModelEntry> models) {}
