package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.observation.StoreRequest;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.core.publisher.ConnectableFlux;
import reactor.test.StepVerifier;

/** Aligned blocks of several variables. */
class BlocksTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private int created;
  private ZarrHierarchy hierarchy = Zarr.hierarchy(store);

  private Dataset dataset(ZarrOptions options, Map<String, long[]> chunks, long... extents) {
    hierarchy = Zarr.hierarchy(store, options);
    String group = "g" + created++;
    await(hierarchy.createGroup(group));
    chunks.forEach(
        (name, chunk) -> {
          Shape shape = chunk.length == 1 ? Shape.of(extents[1]) : Shape.of(extents);
          int count = shape.elementCount().intValueExact();
          ArrayMetadata array =
              ArrayMetadata.v3(shape, DataTypes.INT32)
                  .chunkShape(chunk)
                  .dimensionNames(chunk.length == 1 ? new String[] {"x"} : new String[] {"y", "x"})
                  .attributes(Json.object("{'scale_factor': 0.5}"))
                  .build();
          NdArray data =
              NdArray.ofInts(DataTypes.INT32, shape, IntStream.range(0, count).toArray());
          await(
              hierarchy
                  .createArray(group + "/" + name, array)
                  .flatMap(a -> a.write(Selection.all(), data)));
        });
    return requireNonNull(await(Dataset.open(hierarchy, group)));
  }

  private static Selection part(DatasetBlock block, List<String> dimensions) {
    return Selection.of(
        dimensions.stream()
            .map(
                name -> {
                  long from = block.origin().getOrDefault(name, -1L);
                  return DimensionSelection.slice(
                      from, from + block.sizes().getOrDefault(name, -1L));
                })
            .toArray(DimensionSelection[]::new));
  }

  @Property(tries = 100)
  void blocks_are_the_parts_of_all_variables(@ForAll long seed) {
    Random random = new Random(seed);
    long rows = 1 + random.nextInt(12);
    long columns = 1 + random.nextInt(20);
    long budget = random.nextBoolean() ? 1 << 20 : 200 + random.nextInt(4000);
    Dataset part =
        dataset(
                ZarrOptions.defaults().withMaxInFlightBytes(budget),
                Map.of(
                    "a", new long[] {1 + random.nextInt(5), 1 + random.nextInt(9)},
                    "b", new long[] {1 + random.nextInt(5), 1 + random.nextInt(9)},
                    "x", new long[] {1 + random.nextInt(9)}),
                rows,
                columns)
            .isel("y", List.of(":", "::2", "[0,0]", "0:").get(random.nextInt(4)))
            .isel(
                "x",
                List.of(":", "::3", "[0,0,0]", random.nextInt((int) columns) + ":")
                    .get(random.nextInt(4)));
    Map<String, NdArray> whole =
        Map.of(
            "a", requireNonNull(await(part.variable("a").read())),
            "b", requireNonNull(await(part.variable("b").read())),
            "x", requireNonNull(await(part.variable("x").read())));
    long elements = 0;
    for (DatasetBlock block : await(part.blocks("b", "a"))) {
      assertThat(block.values().keySet()).containsExactly("b", "a");
      assertThat(block.coordinates()).containsOnlyKeys("x");
      block
          .values()
          .forEach(
              (name, values) ->
                  assertThat(values)
                      .isEqualTo(whole.get(name).slice(part(block, List.of("y", "x")))));
      assertThat(block.coordinates().get("x"))
          .isEqualTo(whole.get("x").slice(part(block, List.of("x"))));
      elements += block.sizes().values().stream().reduce(1L, (a, b) -> a * b);
    }
    assertThat(elements).isEqualTo(part.variable("a").shape().elementCountUpTo(Long.MAX_VALUE));
  }

  @Example
  void no_chunk_is_in_two_blocks_where_they_fit() {
    Dataset dataset =
        dataset(
            ZarrOptions.defaults(),
            Map.of("a", new long[] {2, 10}, "b", new long[] {3, 4}),
            24,
            40);
    List<DatasetBlock> blocks = await(dataset.blocks("a", "b"));
    assertThat(blocks).hasSize(8);
    assertThat(blocks.get(3).origin()).isEqualTo(Map.of("y", 6L, "x", 20L));
    assertThat(blocks.get(3).sizes()).isEqualTo(Map.of("y", 6L, "x", 20L));
  }

  @Example
  void blocks_are_read_on_demand_and_a_cancel_ends_the_requests() {
    Dataset dataset =
        dataset(
            ZarrOptions.defaults().withMaxInFlightBytes(32_000),
            Map.of("a", new long[] {1, 100}, "b", new long[] {1, 50}),
            200,
            100);
    store.counts().reset();
    StepVerifier.create(dataset.blocks("a", "b"), 0)
        .thenRequest(2)
        .expectNextCount(2)
        .thenAwait()
        .thenCancel()
        .verify(Waiting.PATIENCE);
    // 8,000 bytes of blocks of 1,600 are 5 ahead of 2 that were demanded, each of 3 chunks
    assertThat(store.counts().total()).isLessThanOrEqualTo(3 * 8);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
  }

  @Example
  void each_chunk_is_requested_once_and_the_slowest_of_two_consumers_bounds_what_is_read() {
    Dataset dataset =
        dataset(
            ZarrOptions.defaults().withMaxInFlightBytes(32_000),
            Map.of("a", new long[] {1, 100}, "b", new long[] {1, 50}),
            200,
            100);
    store.counts().reset();
    ConnectableFlux<DatasetBlock> shared = dataset.blocks("a", "b").publish(1);
    AtomicInteger fast = new AtomicInteger();
    shared.subscribe(any -> fast.incrementAndGet());
    StepVerifier.create(shared, 0)
        .then(shared::connect)
        .thenRequest(3)
        .expectNextCount(3)
        .then(() -> assertReadUpTo(3 + 1, fast))
        .thenRequest(20)
        .expectNextCount(20)
        .then(() -> assertReadUpTo(23 + 1, fast))
        .thenRequest(Long.MAX_VALUE)
        .expectNextCount(200 - 23)
        .expectComplete()
        .verify(Waiting.PATIENCE);
    assertThat(
            store.counts().requests().stream()
                .filter(request -> request.target().contains("/c/"))
                .collect(groupingBy(StoreRequest::target, counting())))
        .hasSize(200 * 3)
        .allSatisfy((key, times) -> assertThat(times).isOne());
    assertThat(fast).hasValue(200);
  }

  /** Blocks of 1,600 bytes are 5 ahead of those that were demanded, each of 3 chunks. */
  private void assertReadUpTo(int demanded, AtomicInteger given) {
    assertThat(given).hasValueLessThanOrEqualTo(demanded);
    assertThat(
            store.counts().requests().stream()
                .filter(request -> request.target().contains("/c/"))
                .count())
        .isLessThanOrEqualTo(3L * (demanded + 6));
  }

  @Example
  void names_are_checked() {
    Dataset dataset = dataset(ZarrOptions.defaults(), Map.of("a", new long[] {1, 1}), 2, 2);
    assertThatIllegalArgumentException().isThrownBy(dataset::blocks);
    assertThat(await(dataset.isel("x", "0:0").blocks("a"))).isEmpty();
    DatasetBlock scalar =
        requireNonNull(await(dataset.isel("x", 1).isel("y", 1).blocks("a").single()));
    assertThat(scalar.values().get("a")).isEqualTo(NdArray.scalar(DataTypes.FLOAT64, 1.5));
  }
}
