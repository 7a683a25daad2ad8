package dev.skep.registry;

import java.nio.file.Path;

class LinkedProxyTest extends ProxyRules {
    @Override
    public boolean mayKnowWhy() {
        return false;
    }

    @Override
    Place open(Path folder) {
        LinkedHub hub = new LinkedHub(folder.resolve("hub"));
        LinkedRunner runner =
                new LinkedRunner(folder.resolve("runner"), "http://127.0.0.1:" + hub.linkPort());
        return new Place() {
            @Override
            public int agents() {
                return runner.port();
            }

            @Override
            public int dashboards() {
                return hub.port();
            }

            @Override
            public void close() {
                runner.close();
                hub.close();
            }
        };
    }
}
