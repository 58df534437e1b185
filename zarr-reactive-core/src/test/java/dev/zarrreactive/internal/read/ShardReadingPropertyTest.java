package dev.zarrreactive.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ShardReading;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.RandomSelection;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** However inner chunks are fetched together, what is read is what a naive model says. */
class ShardReadingPropertyTest {
  private static final String CHUNK_CODECS =
      "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}},"
          + "{\"name\":\"zstd\",\"configuration\":{\"level\":1,\"checksum\":false}}]";
  private static final String INDEX_CODECS =
      "[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}},{\"name\":\"crc32c\"}]";

  @Provide
  Arbitrary<Random> randoms() {
    return Arbitraries.randomValue(random -> new Random(random.nextLong()));
  }

  private static String sharding(Random random, String inner, int... chunk) {
    return "{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":["
        + chunk[0]
        + ","
        + chunk[1]
        + "],\"codecs\":"
        + inner
        + ",\"index_codecs\":"
        + INDEX_CODECS
        + ",\"index_location\":\""
        + (random.nextBoolean() ? "start" : "end")
        + "\"}}";
  }

  /** Shards of 12 × 12 in chunks of 2 × 3, sometimes with shards of 4 × 6 between. */
  private static ArrayMetadata metadata(Shape shape, Random random) {
    String codec = sharding(random, CHUNK_CODECS, 2, 3);
    if (random.nextInt(3) == 0) {
      codec = sharding(random, "[" + codec + "]", 4, 6);
    }
    return ArrayMetadata.v3(shape, DataTypes.INT32)
        .chunkShape(12, 12)
        .codecs(Json.extension(codec))
        .build();
  }

  private static ZarrOptions options(Random random) {
    Coalescing coalescing =
        new Coalescing(random.nextInt(200), random.nextInt(2000), random.nextDouble());
    return ZarrOptions.defaults()
        .withMaxConcurrency(1 + random.nextInt(8))
        .withMaxInFlightBytes(1L << random.nextInt(20))
        .withDecodedChunkCache(random.nextInt(3) * random.nextInt(20_000))
        .withShardReading(
            ShardReading.defaults()
                .withCoalescing(random.nextBoolean() ? coalescing : Coalescing.adaptive())
                .withIndexCacheBytes(random.nextInt(3) * 3000L)
                .withSpeculativeTail(random.nextInt(2) * random.nextInt(2000)));
  }

  /** Numbers, with zeros here and there so that inner chunks are missing. */
  private static int[] elements(Shape shape, Random random) {
    int missing = 1 + random.nextInt(12);
    long width = shape.extent(1);
    return IntStream.range(0, shape.elementCount().intValue())
        .map(i -> (i / width / 2 + i % width / 3) % missing == 0 ? 0 : random.nextInt())
        .toArray();
  }

  @Property(tries = 60)
  void any_selection_of_any_shards_is_what_the_model_says(@ForAll("randoms") Random random) {
    Shape shape = Shape.of(1 + random.nextInt(40), 1 + random.nextInt(40));
    int[] model = elements(shape, random);
    MemoryStore store = MemoryStore.create();
    Zarr.hierarchy(store)
        .createArray("a", metadata(shape, random))
        .flatMap(
            array -> array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, shape, model)))
        .block();
    ZarrArray array = Zarr.hierarchy(store, options(random)).openArray("a").block();
    for (int i = 0; i < 5; i++) {
      RandomSelection wanted = RandomSelection.of(shape, random);
      int[] expected =
          wanted.elements().stream()
              .mapToInt(element -> model[(int) (element[0] * shape.extent(1) + element[1])])
              .toArray();
      assertThat(array.read(wanted.selection()).block().toIntArray())
          .as("%s of %s", wanted.selection(), array)
          .isEqualTo(expected);
      List<Chunk> chunks = array.chunksInOrder(wanted.selection()).collectList().block();
      assertThat(chunks.stream().mapToLong(c -> c.data().shape().elementCount().longValue()).sum())
          .isEqualTo(expected.length);
    }
  }
}
