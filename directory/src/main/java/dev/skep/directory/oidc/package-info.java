/**
 * Signing in at identity providers by OpenID Connect: the authorization code flow with PKCE.
 *
 * <p>Providers are configured in {@code sign-in.json} of the data dir; nothing else is ever
 * dialled. What a started sign-in must remember (state, nonce, verifier) is encrypted and kept by
 * the browser's tab that started it, so that the hub remembers nothing and another browser cannot
 * finish it. A sign-in ends as an {@code Identity}: the account, and the roles that its groups
 * give.
 */
@NullMarked
package dev.skep.directory.oidc;

import org.jspecify.annotations.NullMarked;
