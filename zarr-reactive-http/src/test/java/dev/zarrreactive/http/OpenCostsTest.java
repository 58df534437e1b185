package dev.zarrreactive.http;

import static dev.zarrreactive.http.HttpCancelTest.eventually;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** The cost of an open: requests, connections, and lines in the log. */
class OpenCostsTest {
  private static final int OPENS = 200;

  private final MemoryStore values = MemoryStore.create();
  private final Set<Object> connections = ConcurrentHashMap.newKeySet();
  private final FaultyServer server =
      FaultyServer.of(
          values,
          settings ->
              settings.doOnConnection(connection -> connections.add(connection.channel().id())));
  private final HttpStore store = HttpStore.at(server.uri()).connections(3).open();
  private final ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  @BeforeEach
  void nodes_of_both_formats() {
    ArrayMetadataBuilder array =
        ArrayMetadata.v3(Shape.of(4), DataTypes.INT32).uncompressed().chunkShape(2);
    at("three").createArray("a", array.build()).block();
    at("two").createArray("a", array.zarrFormat(2).build()).block();
  }

  private ZarrHierarchy at(String prefix) {
    return Zarr.hierarchy(Stores.prefixed(values, StorePrefix.of(prefix + "/")));
  }

  @AfterEach
  void close() {
    await(store.close());
    server.close();
  }

  /** The documents that were asked for, when the last answer has ended. */
  private List<String> asked(int count) {
    eventually(() -> server.requests().size() >= count && server.underWay() == 0);
    List<String> paths = server.requests().stream().map(ReceivedRequest::path).sorted().toList();
    server.forget();
    return paths;
  }

  @Test
  void two_hundred_opens_lose_no_connection_and_log_nothing() {
    InstrumentedStore counted = InstrumentedStore.of(store);
    ZarrHierarchy opening = Zarr.hierarchy(counted);
    Warnings warnings = Warnings.listen();
    try {
      for (int i = 0; i < OPENS; i++) {
        await(opening.openArray("three/a"));
        eventually(() -> counted.counts().inFlight() == 0 && server.underWay() == 0);
      }
    } finally {
      warnings.close();
    }
    // three at once, and one more for each request that an open gives up
    long givenUp = counted.counts().cancelled();
    assertThat((long) connections.size()).isLessThanOrEqualTo(3 + givenUp);
    // an open waits for all documents, unless a busy machine delays one of them
    assertThat(givenUp).isLessThan(OPENS / 2);
    assertThat(warnings.seen).isEmpty();
  }

  /** Fewer where the document of Zarr v3 comes before the others are asked for. */
  @Test
  void an_open_asks_for_three_documents_at_most() {
    await(hierarchy.openArray("three/a"));
    await(hierarchy.openGroup("three"));
    await(hierarchy.open("three/a"));
    eventually(() -> server.underWay() == 0);
    List<String> asked = server.requests().stream().map(ReceivedRequest::path).toList();
    assertThat(asked)
        .contains("three/a/zarr.json", "three/zarr.json")
        .isSubsetOf(
            "three/a/.zarray",
            "three/a/.zattrs",
            "three/a/.zgroup",
            "three/a/zarr.json",
            "three/.zattrs",
            "three/.zgroup",
            "three/zarr.json")
        .hasSizeBetween(3, 9);
  }

  @Test
  void an_open_of_a_format_that_is_known_asks_for_its_documents_alone() {
    ZarrHierarchy three = Zarr.hierarchy(store, ZarrOptions.defaults().withZarrFormat(3));
    await(three.openArray("three/a"));
    assertThat(asked(1)).containsExactly("three/a/zarr.json");
    await(three.openGroup("three"));
    assertThat(asked(1)).containsExactly("three/zarr.json");
    await(three.open("three/a"));
    assertThat(asked(1)).containsExactly("three/a/zarr.json");
    assertThat(await(three.exists("three/a"))).isTrue();
    assertThat(asked(1)).containsExactly("three/a/zarr.json");
    assertThatThrownBy(() -> await(three.openArray("two/a")))
        .isInstanceOf(NodeNotFoundException.class)
        .hasMessageContaining("no array or group of Zarr v3 here");

    server.forget();
    ZarrHierarchy two = Zarr.hierarchy(store, ZarrOptions.defaults().withZarrFormat(2));
    await(two.openArray("two/a"));
    assertThat(asked(2)).containsExactly("two/a/.zarray", "two/a/.zattrs");
    assertThatThrownBy(() -> await(two.open("three/a"))).isInstanceOf(NodeNotFoundException.class);
  }

  @Test
  void a_document_that_does_not_come_delays_no_open_for_long() {
    server.misbehave(
        (request, behaviour) ->
            request.path().endsWith("zarr.json")
                ? behaviour
                : behaviour.withDelay(Duration.ofDays(1)));
    await(hierarchy.openArray("three/a"));
    eventually(() -> server.underWay() == 0); // given up
  }

  @Test
  void a_cancel_of_an_open_gives_all_of_its_requests_up_and_logs_nothing() {
    server.misbehave(Fault.silence());
    Warnings warnings = Warnings.listen();
    try {
      for (int i = 0; i < 20; i++) {
        Disposable opening = hierarchy.openArray("three/a").subscribe();
        eventually(() -> server.underWay() == 3);
        opening.dispose();
        eventually(() -> server.underWay() == 0 && server.connections() == 0);
      }
    } finally {
      warnings.close();
    }
    assertThat(warnings.seen).isEmpty();
  }

  @Test
  void groups_of_zarr_v2_have_their_attributes_and_consolidated_metadata() {
    values.set(StoreKey.of("two/.zattrs"), Bytes.utf8("{\"x\": 1}")).block();
    at("two").openGroup("").flatMap(group -> group.consolidate()).block();
    var group = await(Zarr.hierarchy(store).openGroup("two"));
    assertThat(group.attributes().members()).containsKey("x");
    assertThat(group.metadata().consolidated()).isNotNull();
  }

  /** The log of reactor-netty at the levels that a service logs. */
  private static final class Warnings extends Handler implements AutoCloseable {
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Logger logger = Logger.getLogger("reactor.netty");

    static Warnings listen() {
      Warnings warnings = new Warnings();
      warnings.logger.addHandler(warnings);
      return warnings;
    }

    @Override
    public void publish(LogRecord line) {
      if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
        seen.add(line.getMessage() + " " + line.getThrown());
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }
}
