package dev.skep.dispatch.notification;

import dev.skep.directory.operator.Operator;
import dev.skep.directory.operator.OperatorStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Snapshot;
import java.util.List;
import java.util.Optional;

/** People as the directory knows them. */
public final class OperatorsOfOrg implements NotifiablePeople {
    private final OperatorStore operators;

    public OperatorsOfOrg(OperatorStore operators) {
        this.operators = operators;
    }

    @Override
    public Optional<Operator> find(Snapshot snapshot, OrgId org, String idOrName) {
        return operators
                .find(snapshot, new Principal.Local(org), idOrName)
                .filter(operator -> operator.disabledAt() == null);
    }

    @Override
    public List<Operator> all(Snapshot snapshot, OrgId org) {
        return operators.all(snapshot, new Principal.Local(org)).stream()
                .filter(operator -> operator.disabledAt() == null)
                .toList();
    }
}
