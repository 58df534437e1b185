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
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import reactor.core.publisher.Flux;

/**
 * Writes an image of OME-Zarr with its levels from blocks that are made on the way, and prints its
 * speed beside that of zstd alone on as many chunks. Arguments: a new directory, and the extent of
 * the square, 100000 by default. A small heap, such as {@code -Xmx512m}, is a part of the test.
 * Both sides have the processor's seconds, which do not depend on what else the machine does, and
 * the time.
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
    byte[] row = row(extent + POOL);
    double alone = secondsOfAChunk(row);
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long start = System.nanoTime();
    OmeImage image =
        OmeImage.builder(List.of(new OmeAxis("y", "space", ""), new OmeAxis("x", "space", "")))
            .version("0.5")
            .layout(
                array ->
                    array
                        .chunkShape(CHUNK, CHUNK)
                        .shardShape(2 * CHUNK, 16 * CHUNK)
                        .compressors(Codecs.zstd(LEVEL)))
            .write(
                Zarr.hierarchy(FileSystemStore.open(Path.of(arguments[0]))),
                "image",
                Shape.of(extent, extent),
                DataTypes.UINT8,
                blocks(row, extent))
            .block();
    double seconds = (System.nanoTime() - start) / 1e9;
    double processor = (system.getProcessCpuTime() - cpu) / 1e9;
    long chunks = 0;
    for (OmeLevel level : image.levels()) {
      long along = (level.array().shape().extent(0) + CHUNK - 1) / CHUNK;
      chunks += along * along;
    }
    int cores = Runtime.getRuntime().availableProcessors();
    System.out.printf(
        Locale.ROOT,
        "| %d² | %d levels, %d chunks | heap %d MiB | %.1f s of the processor | zstd alone %.1f s |"
            + " ratio %.2f | %.1f s | by time on %d cores %.2f |%n",
        extent,
        image.levels().size(),
        chunks,
        Runtime.getRuntime().maxMemory() >> 20,
        processor,
        alone * chunks,
        alone * chunks / processor,
        seconds,
        cores,
        alone * chunks / cores / seconds);
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
