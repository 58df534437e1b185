package dev.zarrreactive.benchmarks.writing;

import com.sun.management.OperatingSystemMXBean;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import reactor.core.publisher.Flux;

/**
 * Writes an array of float32 from a generator to a bucket: sharded, compressed with zstd, shards
 * larger than the memory may have. Prints the throughput in decoded bytes, that of the codec alone
 * (the same array to a store that drops its values), and that of plain PUTs of as many encoded
 * bytes. Prints the processor time that this process took for each, too: a server on the same
 * machine takes time that belongs to none of the three.
 *
 * <p>Arguments: endpoint, bucket, access key, secret key, MiB of the array, MiB of a shard, the
 * number of rounds if it is other than three, {@code unsigned} for bodies that are not signed, as
 * over HTTPS, or {@code signed}, and the process of the server. With the latter, on Linux, the
 * share of the processors that the server had in the meantime is taken from each time.
 */
public final class WritingFigures {
  private static final int COLUMNS = 1024;
  private static final int ROWS_OF_A_BLOCK = 100;
  private static final long MIB = 1 << 20;
  private static final long NANOS_OF_A_TICK = 10_000_000;

  private WritingFigures() {}

  /** Runs. */
  public static void main(String[] arguments) {
    Store store =
        S3Store.at(arguments[1])
            .endpoint(URI.create(arguments[0]))
            .credentials(arguments[2], arguments[3])
            .multipart(8 * MIB, (int) (8 * MIB))
            .unsignedPayload(arguments.length > 7 && arguments[7].equals("unsigned"))
            .open();
    int mib = Integer.parseInt(arguments[4]);
    int shard = Integer.parseInt(arguments[5]);
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(64 * MIB);
    write(store, "warm-up", 64, shard, options);
    int rounds = arguments.length > 6 ? Integer.parseInt(arguments[6]) : 3;
    String server = arguments.length > 8 ? arguments[8] : "";
    for (int round = 0; round < rounds; round++) {
      String path = "array" + round;
      long[] encoded = new long[1];
      Taken codec = taken(server, () -> write(new Dropping(), "none", mib, shard, options));
      Taken all = taken(server, () -> encoded[0] = write(store, path, mib, shard, options));
      Taken puts = taken(server, () -> puts(store, encoded[0]));
      System.out.printf(
          Locale.ROOT,
          "%d MiB, %d encoded, heap %d: write %s, codec alone %s, plain PUTs %s;"
              + " ratio to the lower one %.2f, without the server's share %.2f; to both one after the"
              + " other %.2f%n",
          mib,
          encoded[0] / MIB,
          Runtime.getRuntime().maxMemory() / MIB,
          all.of(mib),
          codec.of(mib),
          puts.of(mib),
          Math.max(codec.nanos(), puts.nanos()) / (double) all.nanos(),
          Math.max(codec.alone(), puts.alone()) / all.alone(),
          (codec.nanos() + puts.nanos()) / (double) all.nanos());
    }
    store.close().block();
  }

  /** The time of some work on the clock, and of the processors, here and in the server. */
  private record Taken(long nanos, long processor, long server) {
    /** Returns the time without the share that the server had of busy processors. */
    double alone() {
      return nanos * ((double) processor / (processor + server));
    }

    String of(int mib) {
      return String.format(
          Locale.ROOT, "%.0f MiB/s (%.1f s of processor)", mib / (nanos / 1e9), processor / 1e9);
    }
  }

  private static Taken taken(String server, Runnable work) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long processor = system.getProcessCpuTime();
    long before = processorTime(server);
    long start = System.nanoTime();
    work.run();
    return new Taken(
        System.nanoTime() - start,
        system.getProcessCpuTime() - processor,
        processorTime(server) - before);
  }

  /** Returns the processor time of a process of Linux, in nanoseconds; 0 without one. */
  private static long processorTime(String process) {
    if (process.isEmpty()) {
      return 0;
    }
    try {
      String stat = Files.readString(Path.of("/proc", process, "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 15);
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) * NANOS_OF_A_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the encoded bytes. */
  private static long write(Store store, String path, int mib, int shard, ZarrOptions options) {
    long rows = mib * MIB / (COLUMNS * Float.BYTES);
    long rowsOfShard = shard * MIB / (COLUMNS * Float.BYTES);
    ArrayMetadataBuilder metadata =
        ArrayMetadata.v3(Shape.of(rows, COLUMNS), DataTypes.FLOAT32)
            .chunkShape(256, COLUMNS)
            .shardShape(rowsOfShard, COLUMNS)
            .compressors(Codecs.zstd(3));
    Counting counting = new Counting(store);
    Zarr.hierarchy(counting, options)
        .createArray(path, metadata.build())
        .flatMap(array -> array.write(Selection.all(), blocks(rows)))
        .block();
    return counting.written();
  }

  private static Flux<NdArray> blocks(long rows) {
    float[] noise = new float[ROWS_OF_A_BLOCK * COLUMNS];
    Random random = new Random(1);
    for (int i = 0; i < noise.length; i++) {
      noise[i] = Math.round(20 * random.nextGaussian()) / 10f;
    }
    return Flux.range(0, (int) ((rows + ROWS_OF_A_BLOCK - 1) / ROWS_OF_A_BLOCK))
        .map(
            block -> {
              int count = (int) Math.min(ROWS_OF_A_BLOCK, rows - (long) block * ROWS_OF_A_BLOCK);
              float[] values = new float[count * COLUMNS];
              for (int i = 0; i < values.length; i++) {
                values[i] = noise[i] + block;
              }
              return NdArray.ofFloats(DataTypes.FLOAT32, Shape.of(count, COLUMNS), values);
            });
  }

  /** Plain PUTs of incompressible values of 8 MiB, four at a time. */
  private static void puts(Store store, long bytes) {
    byte[] value = new byte[(int) (8 * MIB)];
    new Random(2).nextBytes(value);
    Bytes part = Bytes.wrap(value);
    Flux.range(0, (int) (bytes / part.size()))
        .flatMap(number -> store.set(StoreKey.of("puts/" + number), part), 4)
        .blockLast();
  }
}
