package dev.zarrreactive;

import static dev.zarrreactive.testing.Waiting.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ChunkWork;
import dev.zarrreactive.array.ElementConversion;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.LineEncoding;
import dev.zarrreactive.testing.Waiting;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import reactor.test.StepVerifier;

/** Elements that are converted while they are read, and work on chunks. */
class ConvertedReadTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private int created;

  /** Halves of {@code int16}. */
  private record Halves(DataType target) implements ElementConversion {
    @Override
    public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
      ByteBuffer from = ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < count; i++) {
        short value = from.getShort(at + 2 * i);
        int slot = result.slot(first + i);
        if (target.equals(DataTypes.STRING)) {
          ((Object[]) result.array())[slot] = value / 2.0 + "";
        } else if (target.equals(DataTypes.INT8)) {
          ((byte[]) result.array())[slot] = (byte) (value / 2);
        } else {
          ByteBuffer into = ByteBuffer.wrap((byte[]) result.array());
          into.order(ByteOrder.LITTLE_ENDIAN).putDouble(slot, value / 2.0);
        }
      }
    }
  }

  private ZarrArray array(long seed, boolean isSharded, int keeps) {
    Random random = new Random(seed);
    Shape shape = Shape.of(1 + random.nextInt(9), 1 + random.nextInt(40), 1 + random.nextInt(70));
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(shape, DataTypes.INT16)
            .chunkShape(3, 1 + random.nextInt(20), 1 + random.nextInt(40))
            .fillValue(random.nextInt(3) * 40L);
    if (isSharded) {
      metadata = metadata.chunkShape(2, 8, 10).shardShape(4, 16, 40);
    }
    int[] values = random.ints(shape.elementCount().intValueExact(), -250, 250).toArray();
    NdArray data = NdArray.ofInts(DataTypes.INT32, shape, values).cast(DataTypes.INT16);
    ZarrOptions options = ZarrOptions.defaults().withDecodedChunkCache(keeps * 1_000_000L);
    return Objects.requireNonNull(
        await(
            Zarr.hierarchy(store, options)
                .createArray("a" + created++, metadata.build())
                .flatMap(
                    a ->
                        a.write(Selection.parse("1:"), data.slice(Selection.parse("1:")))
                            .thenReturn(a))));
  }

  private static Selection selection(Random random, Shape shape) {
    if (random.nextInt(6) == 0) {
      long[][] points = new long[5][];
      for (int p = 0; p < points.length; p++) {
        points[p] =
            IntStream.range(0, 3).mapToLong(d -> random.nextInt((int) shape.extent(d))).toArray();
      }
      return Selection.points(points);
    }
    List<String> parts =
        IntStream.range(0, 3)
            .mapToObj(
                d -> {
                  int extent = (int) shape.extent(d);
                  int from = random.nextInt(extent);
                  int to = from + 1 + random.nextInt(extent - from);
                  return switch (random.nextInt(5)) {
                    case 0 -> ":";
                    case 1 -> "::" + (1 + random.nextInt(3));
                    case 2 -> "[" + random.nextInt(extent) + "," + random.nextInt(extent) + "]";
                    case 3 -> Integer.toString(from);
                    default -> from + ":" + to;
                  };
                })
            .toList();
    return Selection.parse(String.join(",", parts));
  }

  @Property(tries = 300)
  void converted_elements_are_those_of_a_read(
      @ForAll long seed, @ForAll boolean isSharded, @ForAll @IntRange(max = 1) int keeps) {
    ZarrArray array = array(seed, isSharded, keeps);
    Random random = new Random(seed);
    for (int i = 0; i < 4; i++) {
      Selection selection = selection(random, array.shape());
      NdArray stored = Objects.requireNonNull(await(array.read(selection)));
      NdArray doubles = await(array.read(selection, new Halves(DataTypes.FLOAT64)));
      double[] expected = stored.cast(DataTypes.FLOAT64).toDoubleArray();
      assertThat(Objects.requireNonNull(doubles).shape()).isEqualTo(stored.shape());
      assertThat(doubles.toDoubleArray())
          .isEqualTo(
              IntStream.range(0, expected.length).mapToDouble(e -> expected[e] / 2).toArray());
      NdArray small =
          Objects.requireNonNull(await(array.read(selection, new Halves(DataTypes.INT8))));
      assertThat(small.cast(DataTypes.INT64).toLongArray())
          .isEqualTo(
              IntStream.range(0, expected.length).mapToLong(e -> (long) expected[e] / 2).toArray());
    }
  }

  @Property(tries = 150)
  void converted_elements_may_be_texts(
      @ForAll long seed, @ForAll boolean isSharded, @ForAll @IntRange(max = 1) int keeps) {
    ZarrArray array = array(seed, isSharded, keeps);
    Selection selection = selection(new Random(seed), array.shape());
    NdArray stored = Objects.requireNonNull(await(array.read(selection)));
    NdArray texts =
        Objects.requireNonNull(await(array.read(selection, new Halves(DataTypes.STRING))));
    assertThat(texts.shape()).isEqualTo(stored.shape());
    assertThat(texts.toStringArray())
        .isEqualTo(
            Arrays.stream(stored.cast(DataTypes.FLOAT64).toDoubleArray())
                .mapToObj(value -> value / 2 + "")
                .toArray(String[]::new));
    Encoding text = new LineEncoding().converted(new Halves(DataTypes.STRING));
    String lines = new String(joined(await(array.encode(selection, text, 99))), UTF_8);
    assertThat(lines.lines()).containsExactly(texts.toStringArray());
  }

  @Property(tries = 150)
  void memory_of_the_caller_gets_the_converted_elements(
      @ForAll long seed, @ForAll boolean isSharded, @ForAll boolean isDirect) {
    ZarrArray array = array(seed, isSharded, 0);
    Random random = new Random(seed);
    ElementConversion halves = new Halves(DataTypes.FLOAT64);
    for (int i = 0; i < 3; i++) {
      Selection selection = selection(random, array.shape());
      byte[] expected =
          Objects.requireNonNull(await(array.read(selection, halves))).bytes().toByteArray();
      int size = expected.length + 12;
      ByteBuffer memory = isDirect ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
      byte[] before = new byte[size];
      random.nextBytes(before);
      memory.put(before).position(5);
      ByteBuffer part = Objects.requireNonNull(await(array.readInto(selection, halves, memory)));
      byte[] read = new byte[part.remaining()];
      part.get(read);
      assertThat(read).isEqualTo(expected);
      System.arraycopy(expected, 0, before, 5, expected.length); // the bytes around stay
      assertThat(memory.rewind()).isEqualTo(ByteBuffer.wrap(before));
    }
  }

  /** The sums of rows of {@code int16}, which lack the last dimension. */
  private record RowSums(OptionalInt joined, DataType target) implements ElementConversion {
    @Override
    public void convert(byte[] source, int at, int count, ElementMemory result, int first) {
      ByteBuffer from = ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN);
      int row = joined.getAsInt();
      for (int i = 0; i < count; i++) {
        long sum = 0;
        for (int k = 0; k < row; k++) {
          sum += from.getShort(at + (i * row + k) * Short.BYTES);
        }
        int slot = result.slot(first + i);
        if (target.equals(DataTypes.STRING)) {
          ((Object[]) result.array())[slot] = Long.toString(sum);
        } else {
          ByteBuffer into = ByteBuffer.wrap((byte[]) result.array());
          into.order(ByteOrder.LITTLE_ENDIAN).putLong(slot, sum);
        }
      }
    }
  }

  @Property(tries = 300)
  void elements_of_the_last_dimension_are_joined(
      @ForAll long seed, @ForAll boolean isSharded, @ForAll @IntRange(max = 1) int keeps) {
    ZarrArray array = array(seed, isSharded, keeps);
    Random random = new Random(seed);
    int row = (int) array.shape().extent(2);
    for (int i = 0; i < 4; i++) {
      String all = random.nextInt(4) == 0 ? "," + reversed(row) : ",:";
      String before = Integer.toString(random.nextInt((int) array.shape().extent(0)));
      String rows = List.of(":", "::2", "[0,0]", before).get(random.nextInt(4)) + ",::3" + all;
      Selection selection = Selection.parse(rows);
      NdArray stored = Objects.requireNonNull(await(array.read(selection)));
      RowSums sums = new RowSums(OptionalInt.of(row), DataTypes.INT64);
      NdArray joined = Objects.requireNonNull(await(array.read(selection, sums)));
      long[] values = stored.cast(DataTypes.INT64).toLongArray();
      long[] expected =
          IntStream.range(0, values.length / row)
              .mapToLong(r -> Arrays.stream(values, r * row, (r + 1) * row).sum())
              .toArray();
      assertThat(joined.toLongArray()).as(rows + " of " + array).isEqualTo(expected);
      assertThat(joined.shape().rank()).isEqualTo(stored.shape().rank() - 1);
      RowSums texts = new RowSums(OptionalInt.of(row), DataTypes.STRING);
      assertThat(Objects.requireNonNull(await(array.read(selection, texts))).toStringArray())
          .isEqualTo(Arrays.stream(expected).mapToObj(Long::toString).toArray(String[]::new));
    }
  }

  private static String reversed(int extent) {
    return IntStream.range(0, extent)
        .mapToObj(i -> Integer.toString(extent - 1 - i))
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Example
  void a_part_of_joined_elements_and_a_buffer_for_them_are_refused() {
    ZarrArray array = array(4, false, 0);
    RowSums sums = new RowSums(OptionalInt.of((int) array.shape().extent(2)), DataTypes.INT64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.read(Selection.parse("..., 1:"), sums))
        .withMessageContaining("the last dimension is joined");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.readInto(Selection.all(), sums, ByteBuffer.allocate(1 << 20)))
        .withMessageContaining("read(selection) joins them");
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(
            () ->
                await(
                    array.readInto(
                        Selection.all(),
                        new Halves(DataTypes.STRING),
                        ByteBuffer.allocate(1 << 20))))
        .withMessageContaining("have no place in a buffer");
  }

  @Property(tries = 100)
  void an_encoder_gets_bands_of_converted_elements(@ForAll long seed, @ForAll boolean isSharded) {
    Random random = new Random(seed);
    ZarrOptions few = ZarrOptions.defaults().withMaxInFlightBytes(50_000);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, few);
    String path = array(seed, isSharded, 0).path().value();
    ZarrArray array = Objects.requireNonNull(await(hierarchy.openArray(path)));
    Selection selection =
        Selection.parse(random.nextBoolean() ? ":" : ":,::2," + random.nextInt(2) + ":");
    ElementConversion halves = new Halves(DataTypes.FLOAT64);
    byte[] expected =
        Objects.requireNonNull(await(array.read(selection, halves))).bytes().toByteArray();
    Encoding encoding = Encoding.raw(ByteOrder.LITTLE_ENDIAN).converted(halves);
    int piece = 1 + random.nextInt(5000);
    assertThat(joined(await(array.encode(selection, encoding, piece)))).isEqualTo(expected);
    int from = random.nextInt(expected.length + 1);
    int count = random.nextInt(expected.length - from + 1);
    assertThat(joined(await(array.encode(selection, encoding, from, count, piece))))
        .isEqualTo(Arrays.copyOfRange(expected, from, from + count));
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
  }

  private static byte[] joined(List<Bytes> pieces) {
    ByteBuffer all = ByteBuffer.allocate(pieces.stream().mapToInt(Bytes::size).sum());
    pieces.forEach(piece -> all.put(piece.asByteBuffer()));
    return all.array();
  }

  @Property(tries = 50)
  void work_on_chunks_gets_each_chunk_in_order(@ForAll long seed, @ForAll boolean isSharded) {
    ZarrArray array = array(seed, isSharded, 0);
    List<String> chunks =
        await(array.chunksInOrder(Selection.all())).stream().map(this::sum).toList();
    assertThat(await(array.chunksInOrder(Selection.all(), this::sum))).isEqualTo(chunks);
    assertThat(await(array.chunksInOrder(Selection.all(), new Sums()))).isEqualTo(chunks);
    assertThat(await(array.chunks(Selection.all(), new Sums())))
        .containsExactlyInAnyOrderElementsOf(chunks);
  }

  private String sum(Chunk chunk) {
    double[] values = chunk.data().cast(DataTypes.FLOAT64).toDoubleArray();
    return chunk + " " + Arrays.stream(values).sum();
  }

  /** Sums, for which chunks are decoded into memory that is used again. */
  private final class Sums implements ChunkWork<String> {
    @Override
    public String apply(Chunk chunk) {
      return sum(chunk);
    }

    @Override
    public int growth() {
      return 3;
    }

    @Override
    public boolean retainsChunk() {
      return false;
    }
  }

  @Example
  void an_error_of_the_work_ends_the_stream_and_gives_all_bytes_back() {
    ZarrArray array = array(3, false, 0);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store, ZarrOptions.defaults());
    ZarrArray opened = Objects.requireNonNull(await(hierarchy.openArray(array.path().value())));
    StepVerifier.create(
            opened.chunks(
                Selection.all(),
                chunk -> {
                  throw new IllegalStateException("no " + chunk);
                }))
        .expectErrorSatisfies(
            e ->
                assertThat(e)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("no chunk"))
        .verify(Waiting.PATIENCE);
    Waiting.eventually("no bytes in flight", () -> hierarchy.bytesInFlight() == 0);
  }

  @Example
  void texts_are_not_converted() {
    ArrayMetadata texts = ArrayMetadata.v3(Shape.of(2), DataTypes.STRING).build();
    ZarrArray array =
        Objects.requireNonNull(await(Zarr.hierarchy(store).createArray("texts", texts)));
    assertThatExceptionOfType(UnsupportedFeatureException.class)
        .isThrownBy(() -> await(array.read(Selection.all(), new Halves(DataTypes.INT8))))
        .withMessageContaining("have no place in a buffer");
  }
}
