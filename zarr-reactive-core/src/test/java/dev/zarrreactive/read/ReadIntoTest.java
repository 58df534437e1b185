package dev.zarrreactive.read;

import static dev.zarrreactive.testing.TestArrays.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.NothingIsDropped;
import dev.zarrreactive.testing.TestArrays;
import dev.zarrreactive.testkit.InstrumentedStore;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads into the caller's buffers, on the heap and outside of it. */
@ExtendWith(NothingIsDropped.class)
class ReadIntoTest {
  private final InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
  private final ZarrArray array = row(5, store, ZarrOptions.defaults());

  static Stream<IntFunction<ByteBuffer>> buffers() {
    return Stream.of(
        ByteBuffer::allocate,
        ByteBuffer::allocateDirect,
        size -> ByteBuffer.allocate(size + 9).position(9).slice());
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void elements_stand_at_the_position_little_endian(IntFunction<ByteBuffer> buffers) {
    ByteBuffer target = buffers.apply(20).order(ByteOrder.BIG_ENDIAN).position(4);
    ByteBuffer part = array.readInto(Selection.parse("3:15:4"), target).block();
    assertThat(part.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    int[] values = new int[3];
    part.asIntBuffer().get(values);
    assertThat(part.remaining()).isEqualTo(12);
    assertThat(values).containsExactly(4, 8, 12);
    assertThat(target.position()).isEqualTo(4);
    assertThat(target.limit()).isEqualTo(20);
    assertThat(target.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(target.order(ByteOrder.LITTLE_ENDIAN).getInt(8)).isEqualTo(8);
    assertThat(target.getInt(0)).isZero();
    assertThat(target.getInt(16)).isZero();
  }

  /** By reflection, since the compiler of the baseline has no such types. */
  @Test
  void a_memory_segment_of_java_22_is_filled_and_an_array_is_one() throws Exception {
    assumeTrue(Runtime.version().feature() >= 22, "memory segments are of Java 22");
    Class<?> arenas = Class.forName("java.lang.foreign.Arena");
    Class<?> segments = Class.forName("java.lang.foreign.MemorySegment");
    try (AutoCloseable arena = (AutoCloseable) arenas.getMethod("ofShared").invoke(null)) {
      Object segment = arenas.getMethod("allocate", long.class, long.class).invoke(arena, 20L, 4L);
      ByteBuffer target = (ByteBuffer) segments.getMethod("asByteBuffer").invoke(segment);
      ByteBuffer part = array.readInto(Selection.parse("3:15:4"), target).block();
      assertThat(part.remaining()).isEqualTo(12);
      assertThat(segments.getMethod("mismatch", segments).invoke(segment, ofBuffer(part)))
          .isEqualTo(12L);
      NdArray read = array.read(Selection.parse("3:15:4")).block();
      Object whole = ofBuffer(read.asByteBuffer());
      assertThat(segments.getMethod("byteSize").invoke(whole)).isEqualTo(12L);
      assertThat(segments.getMethod("mismatch", segments).invoke(whole, ofBuffer(part)))
          .isEqualTo(-1L);
    }
  }

  private static Object ofBuffer(ByteBuffer buffer) throws ReflectiveOperationException {
    return Class.forName("java.lang.foreign.MemorySegment")
        .getMethod("ofBuffer", Buffer.class)
        .invoke(null, buffer);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void missing_chunks_overwrite_with_the_fill_value(IntFunction<ByteBuffer> buffers) {
    for (long fill : new long[] {0, 7}) {
      ZarrArray empty =
          TestArrays.empty(
              TestArrays.metadata(3).fillValue(FillValue.of(DataTypes.INT32, fill)),
              MemoryStore.create(),
              ZarrOptions.defaults());
      ByteBuffer target = buffers.apply(48);
      while (target.hasRemaining()) {
        target.put((byte) -1);
      }
      ByteBuffer part = empty.readInto(Selection.all(), target.flip()).block();
      int[] values = new int[12];
      part.asIntBuffer().get(values);
      assertThat(Arrays.stream(values)).hasSize(12).allMatch(value -> value == fill);
    }
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void a_large_result_is_read_whole(IntFunction<ByteBuffer> buffers) {
    ZarrArray large =
        TestArrays.counting(
            ArrayMetadata.v3(Shape.of(1000, 700), DataTypes.INT32)
                .uncompressed()
                .chunkShape(64, 300),
            MemoryStore.create(),
            ZarrOptions.defaults());
    ByteBuffer target = buffers.apply(2_800_000);
    ByteBuffer part = large.readInto(Selection.all(), target).block();
    assertThat(Bytes.copyOf(part)).isEqualTo(large.read().block().bytes());
  }

  @Test
  void each_subscription_reads_to_the_same_place() {
    ByteBuffer target = ByteBuffer.allocateDirect(8);
    var read = array.readInto(Selection.parse("0:2"), target);
    read.block();
    target.position(8); // the read has its own position
    target.putInt(0, 0);
    assertThat(read.block().getInt(0)).isEqualTo(1);
  }

  @Test
  void a_buffer_without_room_is_refused_before_any_request() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.readInto(Selection.parse("0:3"), ByteBuffer.allocate(11)))
        .withMessage(
            "a buffer of 11 remaining bytes has no room for 3 elements of int32, of 4 bytes each");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> array.readInto(Selection.all(), ByteBuffer.allocate(80).asReadOnlyBuffer()))
        .withMessageStartingWith("a read-only buffer of 80");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> array.readInto(Selection.parse("0:21"), ByteBuffer.allocate(100)));
    assertThat(store.counts().total()).isZero();
    assertThat(array.readInto(Selection.parse("3:3"), ByteBuffer.allocate(0)).block().remaining())
        .isZero();
  }

  @Test
  void elements_of_variable_length_are_refused() {
    ZarrArray texts =
        TestArrays.empty(
            ArrayMetadata.v3(Shape.of(2), DataTypes.STRING).uncompressed(),
            MemoryStore.create(),
            ZarrOptions.defaults());
    assertThatThrownBy(() -> texts.readInto(Selection.all(), ByteBuffer.allocate(99)).block())
        .isInstanceOf(UnsupportedFeatureException.class);
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void a_damaged_chunk_is_an_error(IntFunction<ByteBuffer> buffers) {
    array.writeEncodedChunk(new long[] {3}, Bytes.utf8("damaged")).block();
    assertThatThrownBy(() -> array.readInto(Selection.all(), buffers.apply(80)).block())
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("3");
  }
}
