package dev.skep.agents.mail;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;

/**
 * The right to read one mailbox. Every method of the store that shows mail takes one, so an agent
 * can read only its own.
 */
public final class Mailbox {
    private final OrgId org;
    private final AgentId owner;

    private Mailbox(OrgId org, AgentId owner) {
        this.org = org;
        this.owner = owner;
    }

    /** Opens a mailbox: an agent its own, people and this process any of their org. */
    public static Mailbox open(Principal who, AgentId owner) {
        boolean allowed =
                switch (who) {
                    case Principal.Agent agent -> agent.id().equals(owner);
                    case Principal.Operator _, Principal.Local _ -> true;
                    case Principal.Host _ -> false;
                };
        if (!allowed) {
            throw new SkepException(
                    ErrorCode.NOT_FOUND, "%s may read only its own mail".formatted(who.label()));
        }
        return new Mailbox(who.org(), owner);
    }

    OrgId org() {
        return org;
    }

    public AgentId owner() {
        return owner;
    }
}
