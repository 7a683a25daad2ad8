package dev.skep.conformance.store;

import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests on both databases, each on a new one. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
abstract class EachDatabase {
    @Parameter TestDatabase kind = TestDatabase.SQLITE;
    StoreFixture fixture;

    @BeforeEach
    void open(@TempDir Path folder) {
        fixture = new StoreFixture(kind, folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }
}
