/** YAML files into records: every problem is found in one pass and named by file, line and key. */
@NullMarked
package dev.skep.models.yaml;

import org.jspecify.annotations.NullMarked;
