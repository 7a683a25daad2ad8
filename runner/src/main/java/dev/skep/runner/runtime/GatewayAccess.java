package dev.skep.runner.runtime;

/**
 * Where the model gateway of this runner listens, and what an agent proves itself with there.
 *
 * @param address for example {@code http://127.0.0.1:40001}
 */
public record GatewayAccess(String address, String token) {
    @Override
    public String toString() {
        return "GatewayAccess[" + address + "]";
    }
}
