package dev.skep.transport.describe;

/** Marks a record whose components that are null are left out of its JSON. */
public interface Sparse {}
