package dev.skep.dispatch.alert;

import dev.skep.store.Snapshot;
import java.util.List;

/**
 * What is wrong in another feature, read every few seconds; a condition that is no longer reported
 * is over.
 */
public interface AlertConditionSource {
    AlertKind kind();

    List<AlertCondition> now(Snapshot snapshot);
}
