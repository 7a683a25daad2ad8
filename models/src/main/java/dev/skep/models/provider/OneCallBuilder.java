package dev.skep.models.provider;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Hands LangChain4j the client of one call; its time limits are the call's own. */
final class OneCallBuilder implements HttpClientBuilder {
    private final HttpClient call;

    OneCallBuilder(HttpClient call) {
        this.call = call;
    }

    @Override
    public @Nullable Duration connectTimeout() {
        return null;
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration ignored) {
        return this;
    }

    @Override
    public @Nullable Duration readTimeout() {
        return null;
    }

    @Override
    public HttpClientBuilder readTimeout(Duration ignored) {
        return this;
    }

    @Override
    public HttpClient build() {
        return call;
    }
}
