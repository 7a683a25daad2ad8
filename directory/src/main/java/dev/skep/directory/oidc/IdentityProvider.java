package dev.skep.directory.oidc;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.http.Loopback;
import dev.skep.transport.route.JsonFields;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A configured identity provider.
 *
 * @param id what routes and the audit log call it
 * @param name what its button says
 * @param clientSecret empty for a public client
 * @param scopes asked for beside {@code openid} and {@code profile}
 * @param groupsClaim the claim that lists an account's groups
 * @param nameClaim the claim that user names are made of
 */
record IdentityProvider(
        String id,
        String name,
        URI issuer,
        String clientId,
        Optional<String> clientSecret,
        List<String> scopes,
        String groupsClaim,
        String nameClaim,
        List<GroupRole> roles) {
    /** The group that every account is in. */
    private static final String EVERYBODY = "*";

    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,30}");

    /** What a group gives in an org. */
    record GroupRole(String group, OrgId org, Role role) {}

    @Override
    public String toString() {
        return "identity provider " + id;
    }

    /** The highest role that these groups give in each org. */
    Map<OrgId, Role> rolesOf(List<String> groups) {
        Map<String, Role> highest = new TreeMap<>();
        for (GroupRole each : roles) {
            if (each.group().equals(EVERYBODY) || groups.contains(each.group())) {
                highest.merge(
                        each.org().value(),
                        each.role(),
                        (one, other) -> one.includes(other) ? one : other);
            }
        }
        Map<OrgId, Role> byOrg = new java.util.HashMap<>();
        highest.forEach((org, role) -> byOrg.put(new OrgId(org), role));
        return byOrg;
    }

    /** One of the configuration; throws with what is wrong. */
    static IdentityProvider read(JsonFields fields) {
        fields.only(
                "id",
                "name",
                "issuer",
                "clientId",
                "clientSecret",
                "scopes",
                "groupsClaim",
                "nameClaim",
                "roles");
        String id = fields.text("id");
        if (!ID.matcher(id).matches()) {
            throw wrong("'id' is %s; use up to 31 lower-case letters, digits and dashes", id);
        }
        return new IdentityProvider(
                id,
                fields.optionalText("name").orElse(id),
                issuer(fields.text("issuer")),
                fields.text("clientId"),
                fields.optionalText("clientSecret").filter(secret -> !secret.isEmpty()),
                fields.textList("scopes"),
                fields.optionalText("groupsClaim").orElse("groups"),
                fields.optionalText("nameClaim").orElse("preferred_username"),
                fields.list("roles").stream().map(IdentityProvider::groupRole).toList());
    }

    private static URI issuer(String text) {
        try {
            URI issuer = URI.create(text);
            boolean isPlainHere =
                    "http".equals(issuer.getScheme())
                            && issuer.getHost() != null
                            && Loopback.isLoopback(issuer.getHost());
            boolean isUsual = "https".equals(issuer.getScheme()) && issuer.getHost() != null;
            if ((isUsual || isPlainHere)
                    && issuer.getUserInfo() == null
                    && issuer.getQuery() == null
                    && issuer.getFragment() == null) {
                return issuer;
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw wrong("'issuer' is %s; use the provider's https address", text);
    }

    private static GroupRole groupRole(JsonFields fields) {
        fields.only("group", "org", "role");
        String role = fields.text("role");
        return new GroupRole(
                fields.text("group"),
                fields.optionalId("org", OrgId::new).orElse(new OrgId("default")),
                Arrays.stream(Role.values())
                        .filter(each -> each.name().equals(role.toUpperCase(Locale.ROOT)))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        wrong(
                                                "'role' is %s; choose viewer, operator or admin",
                                                role)));
    }

    private static SkepException wrong(String problem, String value) {
        return new SkepException(ErrorCode.BAD_CONFIGURATION, problem.formatted(value));
    }
}
