package dev.skep.runner.api;

/** That something was done, in words for people. */
public record ActionDone(String message) {}
