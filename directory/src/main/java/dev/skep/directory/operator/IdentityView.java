package dev.skep.directory.operator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An account at an identity provider, as its person sees it. */
public record IdentityView(String provider, String name, @Nullable Instant signedInAt) {}
