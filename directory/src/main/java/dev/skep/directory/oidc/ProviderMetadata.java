package dev.skep.directory.oidc;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.JsonFields;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * What a provider says of itself at its well-known address.
 *
 * @param userInfo where the claims are that are not in the ID token
 * @param basic whether the client authenticates by a header; otherwise in the form
 */
record ProviderMetadata(URI authorize, URI token, URI keys, Optional<URI> userInfo, boolean basic) {

    /** Throws if it is another provider's, or leads where a provider must not lead. */
    static ProviderMetadata read(IdentityProvider provider, JsonFields fields) {
        String said = fields.text("issuer");
        if (!withoutSlash(said).equals(withoutSlash(provider.issuer().toString()))) {
            throw unusable(provider, "it says that its issuer is " + said);
        }
        List<String> methods = fields.textList("token_endpoint_auth_methods_supported");
        return new ProviderMetadata(
                endpoint(provider, fields.text("authorization_endpoint")),
                endpoint(provider, fields.text("token_endpoint")),
                endpoint(provider, fields.text("jwks_uri")),
                fields.optionalText("userinfo_endpoint").map(each -> endpoint(provider, each)),
                methods.isEmpty() || methods.contains("client_secret_basic"));
    }

    static String withoutSlash(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    /** Over TLS, or, for a provider on this machine without it, at the same address. */
    private static URI endpoint(IdentityProvider provider, String text) {
        try {
            URI url = URI.create(text);
            URI issuer = provider.issuer();
            boolean isSecure = "https".equals(url.getScheme()) && url.getHost() != null;
            boolean isSamePlain =
                    "http".equals(issuer.getScheme())
                            && "http".equals(url.getScheme())
                            && issuer.getAuthority().equals(url.getAuthority());
            if ((isSecure || isSamePlain)
                    && url.getUserInfo() == null
                    && url.getFragment() == null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw unusable(provider, "one of its endpoints is not an https address");
    }

    static SkepException unusable(IdentityProvider provider, String why) {
        return new SkepException(
                ErrorCode.PROVIDER_UNREACHABLE,
                "%s at %s cannot be used: %s; check the issuer in sign-in.json"
                        .formatted(provider.name(), provider.issuer(), why));
    }
}
