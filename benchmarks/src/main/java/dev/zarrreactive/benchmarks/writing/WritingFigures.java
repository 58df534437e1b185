package dev.zarrreactive.benchmarks.writing;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreKey;
import java.net.URI;
import java.util.Locale;
import java.util.Random;
import reactor.core.publisher.Flux;

/**
 * Writes an array of float32 from a generator to a bucket: sharded, compressed with zstd, shards
 * larger than the memory may have. Prints the throughput in decoded bytes, that of the codec alone
 * (the same array to a store that drops its values), and that of plain PUTs of as many encoded
 * bytes.
 *
 * <p>Arguments: endpoint, bucket, access key, secret key, MiB of the array, MiB of a shard.
 */
public final class WritingFigures {
  private static final int COLUMNS = 1024;
  private static final int ROWS_OF_A_BLOCK = 100;
  private static final long MIB = 1 << 20;

  private WritingFigures() {}

  /** Runs. */
  public static void main(String[] arguments) {
    Store store =
        S3Store.at(arguments[1])
            .endpoint(URI.create(arguments[0]))
            .credentials(arguments[2], arguments[3])
            .multipart(8 * MIB, (int) (8 * MIB))
            .build();
    int mib = Integer.parseInt(arguments[4]);
    int shard = Integer.parseInt(arguments[5]);
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(64 * MIB);
    write(store, "warm-up", 64, shard, options);
    for (int round = 0; round < 3; round++) {
      String path = "array" + round;
      long codec = time(() -> write(new Dropping(), "none", mib, shard, options));
      long[] encoded = new long[1];
      long all = time(() -> encoded[0] = write(store, path, mib, shard, options));
      long puts = time(() -> puts(store, encoded[0]));
      System.out.printf(
          Locale.ROOT,
          "%d MiB, %d encoded: write %.0f MiB/s, codec alone %.0f, plain PUTs %.0f; ratio %.2f;"
              + " heap %d MiB%n",
          mib,
          encoded[0] / MIB,
          rate(mib, all),
          rate(mib, codec),
          rate(mib, puts),
          Math.max(codec, puts) / (double) all,
          Runtime.getRuntime().maxMemory() / MIB);
    }
    store.close().block();
  }

  private static double rate(int mib, long nanos) {
    return mib / (nanos / 1e9);
  }

  private static long time(Runnable work) {
    long start = System.nanoTime();
    work.run();
    return System.nanoTime() - start;
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
