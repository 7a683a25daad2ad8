package dev.skep.dispatch.host;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Transaction;

/** Hears, inside the transaction that stores it, what somebody should be told about hosts. */
public interface HostAlarms {
    HostAlarms UNHEARD =
            new HostAlarms() {
                @Override
                public void offline(Transaction transaction, OrgId org, HostId host) {}

                @Override
                public void back(Transaction transaction, OrgId org, HostId host) {}

                @Override
                public void manySilent(Transaction transaction, OrgId org, int hosts) {}
            };

    void offline(Transaction transaction, OrgId org, HostId host);

    void back(Transaction transaction, OrgId org, HostId host);

    /** So many at once that the hub's own connection is the likely cause. */
    void manySilent(Transaction transaction, OrgId org, int hosts);
}
