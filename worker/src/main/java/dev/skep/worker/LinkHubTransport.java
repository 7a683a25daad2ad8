package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.transport.call.CallClient;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A hub over its link while that is open, and another way while it is not. */
public final class LinkHubTransport implements HubTransport {
    private final CallClient calls;
    private final Supplier<Optional<String>> hub;
    private final HubTransport otherwise;

    /**
     * Over the links of a runner.
     *
     * @param hub what its link is known by, once that is known
     */
    public LinkHubTransport(
            CallClient calls, Supplier<Optional<String>> hub, HubTransport otherwise) {
        this.calls = calls;
        this.hub = hub;
        this.otherwise = otherwise;
    }

    @Override
    public String name() {
        return otherwise.name();
    }

    @Override
    public Answer post(String path, byte[] body, Duration timeout, boolean bulk) {
        try {
            String linked = hub.get().orElse("");
            Optional<CallClient.Answer> answer = calls.post(linked, path, body, timeout, bulk);
            return answer.map(a -> new Answer(a.status(), a.body()))
                    .orElseGet(() -> otherwise.post(path, body, timeout, bulk));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SkepException(ErrorCode.CLOSED, "interrupted while asking " + name(), e);
        }
    }
}
