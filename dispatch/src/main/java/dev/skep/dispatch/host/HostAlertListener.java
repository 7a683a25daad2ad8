package dev.skep.dispatch.host;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Transaction;

/** Is called inside the transaction that stores a host's change, when people should be alerted. */
public interface HostAlertListener {
    HostAlertListener NONE =
            new HostAlertListener() {
                @Override
                public void offline(Transaction transaction, OrgId org, HostId host) {}

                @Override
                public void online(Transaction transaction, OrgId org, HostId host) {}

                @Override
                public void outage(Transaction transaction, OrgId org, int hosts) {}
            };

    void offline(Transaction transaction, OrgId org, HostId host);

    void online(Transaction transaction, OrgId org, HostId host);

    /** So many at once that the hub's own connection is the likely cause. */
    void outage(Transaction transaction, OrgId org, int hosts);
}
