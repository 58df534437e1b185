package dev.zarrreactive.dataset;

import static dev.zarrreactive.testing.Waiting.await;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.memory.MemoryStore;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Schedulers;

/** Values are decoded into the memory of the caller, whose floats are a view of it. */
class ReadIntoNumbersTest {
  private static final int ROWS = 64;
  private static final int COLUMNS = 16_384;
  private static final int BYTES = Float.BYTES * ROWS * COLUMNS;

  /** Reads take place in the thread that subscribes, so that its allocations are all. */
  private static Variable field() {
    float[] values = new float[ROWS * COLUMNS];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 1000 / 4f;
    }
    NdArray elements = NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(ROWS, COLUMNS), values);
    ZarrOptions options = ZarrOptions.defaults().withCodecScheduler(Schedulers.immediate());
    return Variable.of(
        requireNonNull(
            await(
                Zarr.hierarchy(MemoryStore.create(), options)
                    .createArray(
                        "v",
                        ArrayMetadata.v3(Shape.of(ROWS, COLUMNS), DataTypes.FLOAT32)
                            .chunkShape(16, COLUMNS)
                            .build())
                    .flatMap(array -> array.write(Selection.all(), elements).thenReturn(array)))),
        List.of(),
        Set.of());
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }

  @Test
  void chunks_that_are_one_run_are_decoded_into_the_memory_of_the_caller() {
    Variable field = field();
    byte[] memory = new byte[BYTES];
    FloatBuffer floats = ByteBuffer.wrap(memory).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    field.readInto(Selection.all(), ByteBuffer.wrap(memory)).block(); // loads classes
    java.util.Arrays.fill(memory, (byte) 0);
    long before = allocated();
    field.readInto(Selection.all(), ByteBuffer.wrap(memory)).block();
    long into = allocated() - before;
    NdArray read = requireNonNull(field.read().block());
    long whole = allocated() - before - into;
    assertThat(floats.get(1003)).isEqualTo(0.75f);
    assertThat(floats.get(ROWS * COLUMNS - 1)).isEqualTo((ROWS * COLUMNS - 1) % 1000 / 4f);
    assertThat(into).as("bytes beside the caller's").isLessThan(BYTES / 4); // less than one chunk
    assertThat(whole).as("bytes of a read").isBetween((long) BYTES, BYTES + BYTES / 4L);
    before = allocated();
    FloatBuffer view = read.asFloatBuffer();
    assertThat(allocated() - before).as("bytes of a view").isLessThan(BYTES / 4);
    assertThat(view.get(1003)).isEqualTo(0.75f);
    before = allocated();
    assertThat(read.toFloatArray()[1003]).isEqualTo(0.75f);
    assertThat(allocated() - before).as("bytes of a copy").isGreaterThanOrEqualTo(BYTES);
  }
}
