package dev.skep.kernel.identity;

import dev.skep.kernel.id.AgentId;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OperatorId;
import dev.skep.kernel.id.OrgId;

/**
 * Who is asking, and of which org: made only by authentication (or by the process for itself), and
 * taken by every store method, so that no query can forget its org.
 */
public sealed interface Principal {
    OrgId org();

    /** For the audit log: kind and id, never a secret. */
    String label();

    /** A person who signed in. */
    record Operator(OrgId org, OperatorId id, Role role) implements Principal {
        @Override
        public String label() {
            return "operator:" + id;
        }
    }

    /** An enrolled machine over its link or with its token. */
    record Host(OrgId org, HostId id) implements Principal {
        @Override
        public String label() {
            return "host:" + id;
        }
    }

    /** An agent with an API key of its own. */
    record Agent(OrgId org, AgentId id, HostId host) implements Principal {
        @Override
        public String label() {
            return "agent:" + id;
        }
    }

    /** This process acting for itself: start-up, sweeps, the local command line. */
    record Local(OrgId org) implements Principal {
        @Override
        public String label() {
            return "local";
        }
    }
}
