package dev.zarrreactive.testing;

import static java.util.Objects.requireNonNull;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/**
 * A program that changes arrays without end, and prints each change before it begins and when the
 * store has it. {@link WriterJournal} judges what is stored when it was killed.
 *
 * <p>Three threads write: rows of chunks of Zarr v2 and v3 and attributes; rows of shards and large
 * chunks; appends and changes of a shape.
 */
public final class JournaledWriter {
  /** Arrays whose rows are written; a row has one value in all of its elements. */
  static final List<String> ROWS = List.of("v3", "v2", "shards", "large");

  static final int ROW_COUNT = 4;
  static final int BLOCK = 3;

  private static final Duration PATIENCE = Duration.ofSeconds(120);

  /** Above the least size of a part of an upload. */
  private static final int LARGE = (6 << 20) / Integer.BYTES;

  private final ZarrHierarchy hierarchy;
  private final Random random;
  private final AtomicInteger next;

  private JournaledWriter(Store store, int first) {
    this.hierarchy = Zarr.hierarchy(store);
    this.random = new Random(first);
    this.next = new AtomicInteger(first);
  }

  private static <T> T await(Mono<T> result) {
    return requireNonNull(result.block(PATIENCE));
  }

  /** Creates the arrays. */
  public static void create(Store store) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    Shape rows = Shape.of(ROW_COUNT, 64);
    await(
        hierarchy.createArray(
            "v3",
            ArrayMetadata.v3(rows, DataTypes.INT32)
                .chunkShape(2, 64)
                .compressors(Codecs.zstd(1), Codecs.crc32c())
                .build()));
    await(
        hierarchy.createArray(
            "shards",
            ArrayMetadata.v3(Shape.of(ROW_COUNT, 4096), DataTypes.INT32)
                .chunkShape(1, 256)
                .shardShape(2, 4096)
                .compressors(Codecs.crc32c())
                .build()));
    await(
        hierarchy.createArray(
            "large",
            ArrayMetadata.v3(Shape.of(ROW_COUNT, LARGE), DataTypes.INT32)
                .chunkShape(1, LARGE)
                .compressors(Codecs.crc32c())
                .build()));
    ArrayMetadata growing =
        ArrayMetadata.v3(Shape.of(0), DataTypes.INT32)
            .chunkShape(5)
            .compressors(Codecs.crc32c())
            .build();
    await(hierarchy.createArray("log", growing));
    await(hierarchy.createArray("sized", growing));
    // Zarr v2 lies in a group of its own, beside one of Zarr v3
    await(
        Zarr.hierarchy(Stores.prefixed(store, OLD))
            .createArray(
                "v2",
                ArrayMetadata.v2(rows, DataTypes.INT32)
                    .chunkShape(2, 64)
                    .compressors(Codecs.zlib(1))
                    .build()));
  }

  private static final StorePrefix OLD = StorePrefix.of("old/");

  static Mono<ZarrArray> open(ZarrHierarchy hierarchy, String name) {
    return name.equals("v2")
        ? Zarr.hierarchy(Stores.prefixed(hierarchy.store(), OLD)).openArray(name)
        : hierarchy.openArray(name);
  }

  /**
   * Writes until the process is killed.
   *
   * @param first the number of the first change; numbers of all processes differ
   */
  public static void run(Store store, int first) {
    JournaledWriter writer = new JournaledWriter(store, first);
    CountDownLatch never = new CountDownLatch(1);
    start(() -> writer.rows(List.of("v3", "v2")));
    start(() -> writer.rows(List.of("shards", "large")));
    start(writer::growth);
    try {
      never.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void start(Runnable work) {
    new Thread(
            () -> {
              try {
                work.run();
              } catch (Throwable e) {
                print("fail " + e);
                e.printStackTrace();
              }
            })
        .start();
  }

  private static synchronized void print(String line) {
    System.out.println(line + " .");
    System.out.flush();
  }

  private void rows(List<String> names) {
    List<ZarrArray> arrays = names.stream().map(name -> await(open(hierarchy, name))).toList();
    while (true) {
      int which = random.nextInt(names.size());
      int row = random.nextInt(ROW_COUNT);
      int number = next.getAndIncrement();
      ZarrArray array = arrays.get(which);
      String target = names.get(which) + " " + row + " " + number;
      print("begin " + target);
      array.write(row + "", NdArray.scalar(DataTypes.INT32, number)).block(PATIENCE);
      print("end " + target);
      if (which == 0 && random.nextInt(4) == 0) {
        number = next.getAndIncrement();
        int value = number;
        String name = names.get(0);
        print("begin attributes " + name + " " + number);
        array.updateAttributes(old -> old.with("n", value)).block(PATIENCE);
        print("end attributes " + name + " " + number);
      }
    }
  }

  private void growth() {
    ZarrArray log = await(hierarchy.openArray("log"));
    ZarrArray sized = await(hierarchy.openArray("sized"));
    while (true) {
      int number = next.getAndIncrement();
      print("begin log 0 " + number);
      NdArray block = NdArray.scalar(DataTypes.INT32, number).broadcastTo(Shape.of(BLOCK));
      log = await(log.append(0, block));
      print("end log " + (log.shape().extent(0) - BLOCK) + " " + number);
      if (random.nextBoolean()) {
        int shape = next.getAndIncrement() % 40;
        print("begin sized 0 " + shape);
        sized = await(sized.resize(Shape.of(shape)));
        print("end sized 0 " + shape);
      }
    }
  }
}
