package dev.skep.models;

/** Receives a reply while it is still being written; called on any thread, must not block. */
@FunctionalInterface
public interface ModelListener {
    ModelListener SILENT = _ -> {};

    void onText(String piece);
}
