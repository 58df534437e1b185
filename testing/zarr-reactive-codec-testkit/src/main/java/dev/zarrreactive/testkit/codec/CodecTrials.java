package dev.zarrreactive.testkit.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.zarrreactive.array.ElementMemory;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonNull;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** The trials of the codec contracts: data, damage, threads, and the use of memory. */
final class CodecTrials {
  private static final int THREADS = 4;
  private static final int ROUNDS = 4;
  private static final int MOST_CUTS = 200;
  private static final int LARGE = 1 << 16;

  /** Of so many damages one is tried on large samples, which take as much longer. */
  private static final int STEP = 5;

  private CodecTrials() {}

  /** Nothing, little, much; zeros, floats that vary slowly, noise; a part of a larger array. */
  static List<Bytes> bytes() {
    byte[] noise = new byte[10_007];
    new Random(1).nextBytes(noise);
    ByteBuffer floats = ByteBuffer.allocate(200_000).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; floats.hasRemaining(); i++) {
      floats.putFloat((float) (280 + Math.round(100 * Math.sin(i / 50.0)) / 100.0));
    }
    return List.of(
        Bytes.EMPTY,
        Bytes.wrap(new byte[] {42}),
        Bytes.utf8("abc"),
        Bytes.wrap(new byte[4096]),
        Bytes.wrap(noise),
        Bytes.wrap(noise, 5, 1003),
        Bytes.wrap(floats.array()));
  }

  /** Chunks of every core data type and a raw one, of rank 0 to 4. */
  static List<ChunkRepresentation> representations() {
    List<DataType> types = new ArrayList<>(DataTypes.named());
    types.add(DataTypes.raw(24));
    List<Shape> shapes =
        List.of(
            Shape.SCALAR,
            Shape.of(1),
            Shape.of(7),
            Shape.of(3, 5),
            Shape.of(2, 3, 4),
            Shape.of(3, 1, 2, 5));
    List<ChunkRepresentation> representations = new ArrayList<>();
    for (DataType type : types) {
      for (Shape shape : shapes) {
        representations.add(new ChunkRepresentation(shape, type, FillValue.zero(type)));
      }
    }
    return representations;
  }

  /**
   * A chunk of noise: every bit pattern, but for a {@code bool} only 0 and 1; of elements of any
   * length the most different ones.
   */
  static NdArray chunk(ChunkRepresentation representation) {
    if (representation.dataType() instanceof VariableLengthType type) {
      Object[] values = new Object[representation.shape().elementCount().intValueExact()];
      Arrays.setAll(values, i -> value(type, i));
      return NdArray.ofValues(type, representation.shape(), values);
    }
    byte[] image = new byte[(int) representation.byteSize()];
    new Random(image.length).nextBytes(image);
    if (representation.dataType().equals(DataTypes.BOOL)) {
      for (int i = 0; i < image.length; i++) {
        image[i] &= 1;
      }
    }
    return NdArray.wrap(representation.dataType(), representation.shape(), Bytes.wrap(image));
  }

  private static Object value(VariableLengthType type, int i) {
    String text =
        List.of("", "a", "\0", "na\u00efve", "\ud83d\ude00 \ufffd", "x".repeat(300)).get(i % 6);
    if (type.valueClass() == String.class) {
      return text;
    } else if (type.valueClass() == JsonValue.class) {
      return JsonArray.of(new JsonString(text), JsonNumber.of(i), JsonNull.NULL);
    }
    int size = type instanceof ListType list ? list.rowSize() : 1;
    byte[] bytes = new byte[i * size];
    new Random(i).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  /** The same elements elsewhere in memory. */
  static NdArray copyOf(NdArray chunk) {
    if (chunk.dataType() instanceof VariableLengthType type) {
      return NdArray.ofValues(type, chunk.shape(), (Object[]) ElementMemory.of(chunk).array());
    }
    return NdArray.wrap(chunk.dataType(), chunk.shape(), inside(chunk.bytes()));
  }

  /** The same bytes in the middle of a larger array. */
  static Bytes inside(Bytes bytes) {
    byte[] larger = new byte[bytes.size() + 16];
    new Random(2).nextBytes(larger);
    bytes.copyTo(0, larger, 7, bytes.size());
    return Bytes.wrap(larger, 7, bytes.size());
  }

  /** The lengths to cut something of this size to: all, or some of them where there are many. */
  static int[] cuts(int size) {
    return size <= MOST_CUTS
        ? IntStream.range(0, size).toArray()
        : IntStream.concat(
                IntStream.range(0, MOST_CUTS / 2), new Random(size).ints(MOST_CUTS / 2, 0, size))
            .toArray();
  }

  /**
   * Returns damaged copies: each of the first bytes changed to the values of overflows, and some
   * bytes at random.
   */
  static List<Bytes> damaged(Bytes bytes) {
    List<Bytes> damaged = new ArrayList<>();
    for (int i = 0; i < Math.min(32, bytes.size()); i++) {
      for (int value : new int[] {0x00, 0x7f, 0x80, 0xff, bytes.get(i) ^ 1}) {
        byte[] changed = bytes.toByteArray();
        changed[i] = (byte) value;
        damaged.add(Bytes.wrap(changed));
      }
    }
    Random random = new Random(bytes.size());
    for (int i = 0; i < 100 && bytes.size() > 0; i++) {
      byte[] changed = bytes.toByteArray();
      for (int n = random.nextInt(4); n >= 0; n--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      damaged.add(Bytes.wrap(changed));
    }
    for (int size : new int[] {1, 16, 333}) {
      byte[] noise = new byte[size];
      random.nextBytes(noise);
      damaged.add(Bytes.wrap(noise));
    }
    return damaged;
  }

  /** Some of the damages of the encoded form of a sample that is large; of others all. */
  static List<Bytes> damaged(Bytes encoded, Bytes sample) {
    List<Bytes> damaged = damaged(encoded);
    return sample.size() < LARGE
        ? damaged
        : IntStream.range(0, damaged.size())
            .filter(i -> i % STEP == 0)
            .mapToObj(damaged::get)
            .toList();
  }

  /** These bytes, and {@code more} after them. */
  static Bytes followedBy(Bytes bytes, Bytes more) {
    byte[] both = new byte[bytes.size() + more.size()];
    bytes.copyTo(0, both, 0, bytes.size());
    more.copyTo(0, both, bytes.size(), more.size());
    return Bytes.wrap(both);
  }

  /**
   * The bytes of heap that this thread takes for {@code work}, which runs a second time if it takes
   * too much: the first time it may load classes.
   */
  static long allocatedBy(Runnable work, long most) {
    long first = allocatedOnce(work);
    return first < most ? first : Math.min(first, allocatedOnce(work));
  }

  private static long allocatedOnce(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    work.run();
    return threads.getThreadAllocatedBytes(thread) - before;
  }

  /** Runs {@code work} on some threads at the same time, some times each. */
  static void onManyThreads(Runnable work) {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<Boolean> rounds =
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              work.run();
            }
            return true;
          };
      List<Future<Boolean>> results = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        results.add(threads.submit(rounds));
      }
      for (Future<Boolean> result : results) {
        assertThat(result.get(10, TimeUnit.MINUTES)).isTrue();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("on one of " + THREADS + " threads: " + e.getCause(), e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
