package dev.skep.app.assembly;

import dev.skep.cli.config.Configuration;
import dev.skep.cli.config.DataDir;
import dev.skep.directory.host.HostKeyFile;
import dev.skep.directory.host.HostKind;
import dev.skep.directory.module.HostProcess;
import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.document.HyperPiStore;
import dev.skep.registry.document.StateExport;
import dev.skep.registry.document.StateImport;
import dev.skep.registry.document.StateImport.Imported;
import dev.skep.registry.document.StateSource;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.registry.service.Registry;
import dev.skep.registry.wire.StateReader;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.store.feed.FeedClock;
import dev.skep.store.feed.OwnRowWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.function.LongConsumer;

/** Takes the registry's state out of a data dir, and in again, without serving it. */
public final class RegistryDocuments {
    private final Configuration configuration;

    public RegistryDocuments(Configuration configuration) {
        this.configuration = configuration;
    }

    /** Writes the document and returns its length; a running registry is not disturbed. */
    public long export(OutputStream out, LongConsumer progress, LongConsumer total) {
        HostId host =
                HostKeyFile.in(configuration.dataDir(), HostKind.RUNNER)
                        .read()
                        .map(HostKeyFile.Content::host)
                        .orElseThrow(
                                () ->
                                        new SkepException(
                                                ErrorCode.NOT_FOUND,
                                                "%s holds no registry; name its folder with --data-dir"
                                                        .formatted(configuration.dataDir())));
        try (Database database =
                Databases.openReadOnly(HostDatabases.runnerDatabase(configuration))) {
            FeedClock unused = new FeedClock(SystemTime.clock(), new SecureRandom());
            OwnRowWriter ownRowWriter =
                    new OwnRowWriter(HostDatabases.syncTables(), unused, DefaultOrg.DEFAULT, host);
            StateExport export = new StateExport(database, ownRowWriter, SystemTime.clock());
            total.accept(export.size());
            return export.writeTo(out, progress);
        }
    }

    /** Merges a document or an older registry's database; nothing else may use the data dir. */
    public Imported importFrom(Path file, LongConsumer total, LongConsumer progress) {
        DataDir.prepare(configuration.dataDir());
        try (Lifecycle lifecycle = new Lifecycle()) {
            HostProcess process =
                    HostDatabases.open(
                            lifecycle,
                            HostDatabases.runnerDatabase(configuration),
                            configuration,
                            HostKind.RUNNER);
            Registry registry =
                    lifecycle.start(
                            "registry",
                            new Registry(
                                    new Registry.RegistryDependencies(
                                            process.database(),
                                            process.host().ownRowWriter(),
                                            process.ids(),
                                            SystemTime.clock(),
                                            process.retention()::now,
                                            host -> false),
                                    NodeTimeouts.USUAL));
            registry.awaitLoaded();
            StateImport into =
                    new StateImport(
                            registry,
                            process.database(),
                            process.host().ownRowWriter(),
                            SystemTime.clock());
            if (!isSqlite(file)) {
                StateSource document = sink -> read(file, registry.host(), sink);
                return into.importFrom(document, total, progress);
            }
            try (Database old = Databases.openForeign(new DatabaseUrl.Sqlite(file))) {
                return into.importFrom(new HyperPiStore(old, registry.host()), total, progress);
            }
        }
    }

    private static void read(Path file, HostId host, StateReader.Sink sink) {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            StateReader.read(in, host, sink);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSqlite(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return new String(in.readNBytes(6), StandardCharsets.US_ASCII).equals("SQLite");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
