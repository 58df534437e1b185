package dev.zarrreactive.read;

import static dev.zarrreactive.testing.ShardArrays.squares;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.ShardArrays;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.Distance;
import dev.zarrreactive.testkit.DistantStore;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** How long a read takes from a store that is far away, to the millisecond of virtual time. */
@ExtendWith(NothingIsDropped.class)
class RoundTripsTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final ZarrOptions options = ZarrOptions.defaults().withCodecScheduler(time);
  private final Store near = MemoryStore.create();

  @AfterEach
  void end() {
    time.dispose();
  }

  private DistantStore far(int millis) {
    Distance distance = Distance.of(Duration.ofMillis(millis)).withConnections(64);
    return DistantStore.of(near, distance, time);
  }

  /** What came, and the milliseconds of virtual time that it took. */
  private record Taken<T>(T value, long millis) {}

  private <T> Taken<T> taken(Mono<T> work) {
    List<Taken<T>> taken = new ArrayList<>();
    long begun = time.now(TimeUnit.MILLISECONDS);
    work.subscribe(value -> taken.add(new Taken<>(value, time.now(TimeUnit.MILLISECONDS) - begun)));
    time.advanceTimeBy(LONG);
    assertThat(taken).hasSize(1);
    return taken.get(0);
  }

  private ZarrArray opened(Store far) {
    return taken(Zarr.hierarchy(far, options).openArray("a")).value();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 20, 50, 100})
  void chunks_take_a_round_trip_for_each_turn_of_all_connections(int millis) {
    TestArrays.row(256, near, ZarrOptions.defaults());
    DistantStore server = far(millis);
    Taken<NdArray> read = taken(opened(server).read(Selection.all()));
    assertThat(read.value()).isEqualTo(TestArrays.counting(Shape.of(1024)));
    assertThat(read.millis()).isEqualTo(4L * millis);
    assertThat(server.mostInFlight()).isLessThanOrEqualTo(64);
  }

  @Test
  void a_block_of_a_shard_takes_two_round_trips_and_one_when_its_index_is_known() {
    ShardArrays.written(squares(1, 1), near, ZarrOptions.defaults());
    DistantStore server = far(50);
    ZarrArray array = opened(server);
    server.reset();
    assertThat(taken(array.read(Selection.parse("0:16,0:16"))).millis()).isEqualTo(100);
    assertThat(server.requests()).isEqualTo(2);
    assertThat(taken(array.read(Selection.parse("16:32,0:16"))).millis()).isEqualTo(50);
    assertThat(server.requests()).isEqualTo(3);
  }

  /** One, two, four, then seven bands at a time: as many as the budget has room for. */
  @Test
  void bands_of_bytes_share_round_trips_where_the_subscriber_waits() {
    ZarrOptions smallBudget = options.withMaxInFlightBytes(32 * 4096);
    ArrayMetadataBuilder rows =
        ArrayMetadata.v3(Shape.of(64, 1024), DataTypes.INT32).uncompressed().chunkShape(1, 1024);
    NdArray elements =
        TestArrays.counting(rows, near, ZarrOptions.defaults()).read(Selection.all()).block();
    ZarrArray array = taken(Zarr.hierarchy(far(50), smallBudget).openArray("a")).value();
    Taken<ByteArrayOutputStream> pieces =
        taken(
            array
                .readBytes(Selection.all(), 1024)
                .collect(
                    ByteArrayOutputStream::new,
                    (all, piece) -> all.writeBytes(piece.toByteArray())));
    assertThat(pieces.value().toByteArray()).isEqualTo(elements.bytes().toByteArray());
    assertThat(pieces.millis()).isLessThanOrEqualTo(15 * 50);
  }

  @Test
  void a_plane_through_many_shards_takes_two_round_trips() {
    ShardArrays.written(squares(64, 1), near, ZarrOptions.defaults());
    DistantStore server = far(50);
    ZarrArray array = opened(server);
    server.reset();
    assertThat(taken(array.read(Selection.parse("::64,3"))).millis()).isEqualTo(100);
    assertThat(server.requests()).isEqualTo(128);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void an_array_of_unknown_format_is_opened_in_one_round_trip(int format) {
    createArrays(format);
    assertThat(taken(Zarr.hierarchy(far(50), options).openArray("a")).millis()).isEqualTo(50);
  }

  /** Three requests tell whether it is an array, a group or of version 3; attributes come after. */
  @Test
  void a_node_of_unknown_kind_takes_another_where_it_is_the_first_of_version_2() {
    createArrays(3);
    assertThat(taken(Zarr.hierarchy(far(50), options).open("a")).millis()).isEqualTo(50);
    near.erasePrefix(StorePrefix.ROOT).block();
    createArrays(2);
    ZarrHierarchy old = Zarr.hierarchy(far(50), options);
    assertThat(taken(old.open("a")).millis()).isEqualTo(100);
    assertThat(taken(old.open("b")).millis()).isEqualTo(50);
  }

  private void createArrays(int zarrFormat) {
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(4), DataTypes.INT32).uncompressed().zarrFormat(zarrFormat);
    for (String name : List.of("a", "b")) {
      Zarr.hierarchy(near).createArray(name, metadata.build()).block();
    }
  }
}
