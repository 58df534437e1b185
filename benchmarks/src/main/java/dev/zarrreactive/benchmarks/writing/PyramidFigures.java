package dev.zarrreactive.benchmarks.writing;

import com.github.luben.zstd.Zstd;
import com.sun.management.OperatingSystemMXBean;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.ome.OmeAxis;
import dev.zarrreactive.ome.OmeImage;
import dev.zarrreactive.ome.OmeLevel;
import dev.zarrreactive.store.file.FileSystemStore;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;

/**
 * Writes an image of OME-Zarr with its levels from blocks that are made on the way, and prints its
 * speed beside that of zstd alone on as many chunks: on one thread, and on as many as there are
 * processors, which share caches. Arguments: a new directory, the extent of the square, 100000 by
 * default, and that of an image that is written before to warm up the JVM, 6000 by default. A small
 * heap, such as {@code -Xmx512m}, is a part of the test. Both sides have the processor's seconds,
 * and the time. What is not of threads in Java is of the garbage collector and of the compiler.
 */
public final class PyramidFigures {
  private static final int CHUNK = 512;
  private static final int BLOCK = 256;
  private static final int LEVEL = 3;
  private static final int TRIALS = 400;

  /** Rows of a chunk begin at places so far apart that none is found in another one. */
  private static final int POOL = 24 << 20;

  private PyramidFigures() {}

  /** Prints a row of a table in Markdown. */
  public static void main(String[] arguments) {
    int extent = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 100_000;
    int before = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 6_000;
    byte[] row = row(Math.max(extent, before) + POOL);
    write(Path.of(arguments[0], "before"), row, before);
    int cores = Runtime.getRuntime().availableProcessors();
    double alone = secondsOfAChunk(row);
    double together =
        IntStream.range(0, cores)
            .mapToObj(i -> CompletableFuture.supplyAsync(() -> secondsOfAChunk(row)))
            .toList()
            .stream()
            .mapToDouble(CompletableFuture::join)
            .average()
            .orElseThrow();
    Map<Long, Long> threads = threads();
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long start = System.nanoTime();
    OmeImage image = write(Path.of(arguments[0]), row, extent);
    double seconds = (System.nanoTime() - start) / 1e9;
    double processor = (system.getProcessCpuTime() - cpu) / 1e9;
    double inJava = 0;
    for (Map.Entry<Long, Long> thread : threads().entrySet()) {
      inJava += (thread.getValue() - threads.getOrDefault(thread.getKey(), 0L)) / 1e9;
    }
    long chunks = 0;
    for (OmeLevel level : image.levels()) {
      long along = (level.array().shape().extent(0) + CHUNK - 1) / CHUNK;
      chunks += along * along;
    }
    System.out.printf(
        Locale.ROOT,
        "| %d² | %d levels, %d chunks | heap %d MiB | %.1f s of the processor, %.1f in Java |"
            + " zstd alone %.1f s, ratio %.2f | on %d threads %.1f s, ratio %.2f |"
            + " %.1f s, by time %.2f |%n",
        extent,
        image.levels().size(),
        chunks,
        Runtime.getRuntime().maxMemory() >> 20,
        processor,
        inJava,
        alone * chunks,
        alone * chunks / processor,
        cores,
        together * chunks,
        together * chunks / processor,
        seconds,
        alone * chunks / cores / seconds);
  }

  private static OmeImage write(Path directory, byte[] row, int extent) {
    return Objects.requireNonNull(
        OmeImage.builder(List.of(new OmeAxis("y", "space", ""), new OmeAxis("x", "space", "")))
            .version("0.5")
            .layout(
                array ->
                    array
                        .chunkShape(CHUNK, CHUNK)
                        .shardShape(2 * CHUNK, 16 * CHUNK)
                        .compressors(Codecs.zstd(LEVEL)))
            .write(
                Zarr.hierarchy(FileSystemStore.open(directory)),
                "image",
                Shape.of(extent, extent),
                DataTypes.UINT8,
                blocks(row, extent))
            .block());
  }

  /** Returns the nanoseconds of the processor that each thread in Java has had. */
  private static Map<Long, Long> threads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<Long, Long> all = new HashMap<>();
    for (long id : threads.getAllThreadIds()) {
      all.put(id, Math.max(0, threads.getThreadCpuTime(id)));
    }
    return all;
  }

  /** A line of grey values that wander, of which every row of the image is a part. */
  private static byte[] row(int length) {
    Random random = new Random(1);
    byte[] row = new byte[length];
    double value = 128;
    for (int x = 0; x < length; x++) {
      value = Math.max(0, Math.min(255, value + random.nextGaussian() * 3));
      row[x] = (byte) value;
    }
    return row;
  }

  private static Flux<NdArray> blocks(byte[] row, int extent) {
    return Flux.range(0, (extent + BLOCK - 1) / BLOCK)
        .map(
            block -> {
              int rows = Math.min(BLOCK, extent - block * BLOCK);
              byte[] bytes = new byte[rows * extent];
              for (int y = 0; y < rows; y++) {
                int from = from(block * BLOCK + y);
                System.arraycopy(row, from, bytes, y * extent, extent);
              }
              return NdArray.ofBytes(DataTypes.UINT8, Shape.of(rows, extent), bytes);
            });
  }

  private static int from(int y) {
    return (int) ((y * 0x9e37_79b9L & 0xffff_ffffL) % POOL);
  }

  /** The seconds of one thread's processor that zstd needs for a chunk. */
  private static double secondsOfAChunk(byte[] row) {
    byte[] chunk = new byte[CHUNK * CHUNK];
    byte[] compressed = new byte[(int) Zstd.compressBound(chunk.length)];
    long used = 0;
    for (int trial = -TRIALS / 4; trial < TRIALS; trial++) {
      for (int y = 0; y < CHUNK; y++) {
        System.arraycopy(row, from(y + trial * CHUNK + TRIALS * CHUNK), chunk, y * CHUNK, CHUNK);
      }
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      Zstd.compressByteArray(compressed, 0, compressed.length, chunk, 0, chunk.length, LEVEL);
      if (trial >= 0) {
        used += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
      }
    }
    return used / 1e9 / TRIALS;
  }
}
