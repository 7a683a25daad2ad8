package dev.skep.registry.routes;

import dev.skep.kernel.id.OrgId;

/**
 * The client behind a connection.
 *
 * @param admin may export and import the org's state, and may see why a node is not reached
 * @param anyNode may deregister nodes of others while it has none itself
 */
public record RegistryCaller(OrgId org, boolean admin, boolean anyNode) {}
