package dev.zarrreactive.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.Json;
import dev.zarrreactive.testing.RandomArray;
import dev.zarrreactive.testing.RandomSelection;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The pieces of a selection, one after the other, are its elements. */
class BytesPropertyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Provide
  Arbitrary<RandomArray> arrays() {
    return Arbitraries.randomValue(RandomArray::of);
  }

  @Provide
  Arbitrary<Random> randoms() {
    return Arbitraries.randomValue(random -> new Random(random.nextLong()));
  }

  private static ZarrOptions options(Random random) {
    return ZarrOptions.defaults()
        .withMaxConcurrency(1 + random.nextInt(8))
        .withDecodedChunkCache(random.nextInt(2) * 10_000L)
        .withMaxInFlightBytes(1L << random.nextInt(20));
  }

  @Property(tries = 150)
  void pieces_of_any_array_are_what_a_read_gives(
      @ForAll("arrays") RandomArray model, @ForAll("randoms") Random random) {
    ZarrArray array = model.create(options(random));
    model.storeSomeChunks(array.store());
    for (int i = 0; i < 4; i++) {
      RandomSelection selection = model.selection();
      assertThat(joined(array, selection.selection(), 1 + random.nextInt(60)))
          .as("%s of %s", selection.selection(), model)
          .isEqualTo(model.elements(selection.elements()));
    }
  }

  @Property(tries = 150)
  void a_buffer_that_is_read_into_has_what_a_read_gives(
      @ForAll("arrays") RandomArray model, @ForAll("randoms") Random random) {
    ZarrArray array = model.create(options(random));
    model.storeSomeChunks(array.store());
    for (int i = 0; i < 4; i++) {
      RandomSelection selection = model.selection();
      byte[] expected = model.elements(selection.elements());
      int size = 3 + expected.length + random.nextInt(3);
      ByteBuffer target =
          random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
      byte[] before = new byte[size];
      random.nextBytes(before);
      target.put(before).position(3);
      ByteBuffer part = array.readInto(selection.selection(), target).block(PATIENCE);
      System.arraycopy(expected, 0, before, 3, expected.length);
      assertThat(Bytes.copyOf(part)).isEqualTo(Bytes.wrap(expected));
      assertThat(target.position()).isEqualTo(3);
      assertThat(Bytes.copyOf(target.position(0)))
          .as("%s of %s", selection.selection(), model)
          .isEqualTo(Bytes.wrap(before));
    }
  }

  @Property(tries = 60)
  void pieces_of_shards_and_of_shards_in_shards_are_what_a_read_gives(
      @ForAll("randoms") Random random) {
    Shape shape = Shape.of(1 + random.nextInt(40), 1 + random.nextInt(40));
    String sharding = sharding(2, 3, "{\"name\":\"bytes\",\"configuration\":{\"endian\":\"big\"}}");
    ZarrArray array =
        Zarr.hierarchy(MemoryStore.create(), options(random))
            .createArray(
                "a",
                ArrayMetadata.v3(shape, DataTypes.INT32)
                    .chunkShape(12, 12)
                    .codecs(
                        Json.extension(random.nextBoolean() ? sharding : sharding(4, 6, sharding)))
                    .build())
            .block();
    int[] elements = random.ints(shape.elementCount().intValue()).toArray();
    array.write(Selection.all(), NdArray.ofInts(DataTypes.INT32, shape, elements)).block(PATIENCE);
    for (int i = 0; i < 4; i++) {
      Selection selection = RandomSelection.of(shape, random).selection();
      assertThat(joined(array, selection, 1 + random.nextInt(400)))
          .as("%s of %s", selection, array)
          .isEqualTo(array.read(selection).block(PATIENCE).bytes().toByteArray());
    }
  }

  private static String sharding(int rows, int columns, String inner) {
    return "{\"name\":\"sharding_indexed\",\"configuration\":{\"chunk_shape\":["
        + rows
        + ","
        + columns
        + "],\"codecs\":["
        + inner
        + "],\"index_codecs\":[{\"name\":\"bytes\",\"configuration\":{\"endian\":\"little\"}}]}}";
  }

  private static byte[] joined(ZarrArray array, Selection selection, int pieceSize) {
    List<Bytes> pieces = array.readBytes(selection, pieceSize).collectList().block(PATIENCE);
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (Bytes piece : pieces) {
      assertThat(piece.size()).isBetween(1, pieceSize);
      joined.writeBytes(piece.toByteArray());
    }
    return joined.toByteArray();
  }
}
