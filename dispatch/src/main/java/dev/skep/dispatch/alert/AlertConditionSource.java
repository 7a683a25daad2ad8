package dev.skep.dispatch.alert;

import dev.skep.store.Snapshot;
import java.util.List;

/** What is wrong in another feature, looked at every few seconds; whatever is not told is over. */
public interface AlertConditionSource {
    AlertKind kind();

    List<AlertCondition> now(Snapshot snapshot);
}
