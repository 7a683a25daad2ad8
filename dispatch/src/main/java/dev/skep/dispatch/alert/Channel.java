package dev.skep.dispatch.alert;

/** A webhook of one person. */
public record Channel(String operator, Webhook webhook) {}
