package dev.zarrreactive.testing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Two processes, each with four writers, on the same arrays: {@code counters}, whose chunks each
 * hold a counter for every writer, and {@code log}, to which all append.
 *
 * <p>A writer adds one to its counters of a random box of chunks: each row of the array is that of
 * one writer, and chunks hold a column of all rows, so that the boxes of all writers overlap in
 * every chunk. A lost update is a counter that is less than what its writer has counted. {@code
 * -Dzarr.counting.seconds=60} runs for a time and not for a number of rounds.
 */
public final class Counting {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final int PROCESSES = 2;
  private static final int WRITERS = 4;
  private static final int ROWS = PROCESSES * WRITERS;
  private static final int COLUMNS = 12;
  private static final int ROUNDS = 6;
  private static final int BLOCK = 3;
  private static final String SECONDS = "zarr.counting.seconds";

  private Counting() {}

  private static <T> T await(Mono<T> result) {
    return requireNonNull(result.block(PATIENCE));
  }

  private static void create(Store store) {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ArrayMetadata counters =
        ArrayMetadata.v3(Shape.of(ROWS, COLUMNS), DataTypes.INT32)
            .chunkShape(ROWS, 2)
            .compressors(Codecs.crc32c())
            .build();
    await(hierarchy.createArray("counters", counters));
    ArrayMetadata shards =
        ArrayMetadata.like(counters).chunkShape(2, 1).shardShape(ROWS, 3).build();
    await(hierarchy.createArray("shards", shards));
    ArrayMetadata log =
        ArrayMetadata.v3(Shape.of(0), DataTypes.INT32)
            .chunkShape(4)
            .compressors(Codecs.crc32c())
            .build();
    await(hierarchy.createArray("log", log));
  }

  /**
   * Runs both processes, and compares what is stored with what they told.
   *
   * @param starter starts a process of that number
   */
  public static void run(Store store, IntFunction<ChildProcess> starter) {
    create(store);
    List<ChildProcess> processes = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      processes.add(starter.apply(i));
    }
    int[] expected = new int[2 * ROWS * COLUMNS];
    TreeMap<Integer, Integer> appended = new TreeMap<>();
    long lost = 0;
    try {
      for (ChildProcess process : processes) {
        assertThat(process.line()).isEqualTo("ready");
      }
      processes.forEach(ChildProcess::go);
      for (ChildProcess process : processes) {
        for (String line = process.line(); !"done".equals(line); line = process.line()) {
          String[] words = requireNonNull(line, "the process has failed").split(" ");
          if (words[0].equals("count")) {
            expected[Integer.parseInt(words[1])] = Integer.parseInt(words[2]);
          } else if (words[0].equals("append")) {
            assertThat(appended.put(Integer.parseInt(words[1]), Integer.parseInt(words[2])))
                .as("appends at " + words[1])
                .isNull();
          } else {
            lost += Long.parseLong(words[1]); // given up
          }
        }
      }
    } finally {
      processes.forEach(ChildProcess::close);
    }
    int[] found = new int[expected.length];
    for (int i = 0; i < 2; i++) {
      ZarrArray array = await(Zarr.hierarchy(store).openArray(i == 0 ? "counters" : "shards"));
      int[] values = await(array.read()).toIntArray();
      System.arraycopy(values, 0, found, i * values.length, values.length);
    }
    assertThat(found).isEqualTo(expected);
    int[] log = await(Zarr.hierarchy(store).openArray("log").flatMap(ZarrArray::read)).toIntArray();
    assertThat(log).hasSize(appended.size() * BLOCK);
    appended.forEach(
        (place, number) ->
            assertThat(Arrays.copyOfRange(log, place, place + BLOCK))
                .as("the block at " + place)
                .containsOnly(number));
    System.out.printf(
        "%s: %d increments and %d appends, none lost; %d writes given up%n",
        store, Arrays.stream(found).asLongStream().sum(), appended.size(), lost);
  }

  /** Counts, as one of the processes. */
  public static void count(Store store, int process) throws java.io.IOException {
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    ZarrArray counters = await(hierarchy.openArray("counters"));
    ZarrArray shards = await(hierarchy.openArray("shards"));
    ZarrArray log = await(hierarchy.openArray("log"));
    System.out.println("ready");
    System.in.read();
    int seconds = Integer.getInteger(SECONDS, 0);
    long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    AtomicLong givenUp = new AtomicLong();
    Flux.range(0, WRITERS)
        .flatMap(
            i ->
                Mono.fromRunnable(
                        () -> {
                          Writer writer = new Writer(counters, shards, log, process * WRITERS + i);
                          for (int n = 0; seconds > 0 ? System.nanoTime() < end : n < ROUNDS; n++) {
                            writer.round();
                          }
                          givenUp.addAndGet(writer.tell());
                        })
                    .subscribeOn(Schedulers.boundedElastic()))
        .blockLast();
    System.out.println("lost " + givenUp);
    System.out.println("done");
  }

  /** One of the writers; its row is its own, and its chunks are those of all. */
  private static final class Writer {
    private final ZarrArray[] arrays;
    private final ZarrArray log;
    private final int row;
    private final int[][] counts = new int[2][COLUMNS];
    private final List<String> appends = new ArrayList<>();
    private final Random random;
    private int givenUp;

    Writer(ZarrArray counters, ZarrArray shards, ZarrArray log, int row) {
      this.arrays = new ZarrArray[] {counters, shards};
      this.log = log;
      this.row = row;
      this.random = new Random(row);
    }

    void round() {
      int which = random.nextInt(2);
      int from = random.nextInt(COLUMNS);
      int to = from + 1 + random.nextInt(COLUMNS - from);
      int step = 1 + random.nextInt(3);
      Selection part = Selection.parse(row + "," + from + ":" + to + ":" + step);
      int[] next = await(arrays[which].read(part)).toIntArray();
      for (int i = 0; i < next.length; i++) {
        int column = from + i * step;
        if (next[i] != counts[which][column]) {
          System.out.println("lost " + row + "," + column + " is " + next[i]);
          System.exit(1);
        }
        next[i]++;
      }
      NdArray data = NdArray.ofInts(DataTypes.INT32, Shape.of(next.length), next);
      boolean again = true;
      while (again) {
        again = false;
        try {
          arrays[which].write(part, data).block(PATIENCE);
        } catch (PreconditionFailedException e) { // after 32 attempts: some chunks may be written
          givenUp++;
          again = true;
        }
      }
      for (int i = 0; i < next.length; i++) {
        counts[which][from + i * step] = next[i];
      }
      if (random.nextInt(3) == 0) {
        append();
      }
    }

    private void append() {
      int number = 1 + row + ROWS * appends.size();
      NdArray block = NdArray.scalar(DataTypes.INT32, number).broadcastTo(Shape.of(BLOCK));
      while (true) {
        try {
          long end = await(log.append(0, block)).shape().extent(0);
          appends.add("append " + (end - BLOCK) + " " + number);
          return;
        } catch (PreconditionFailedException e) { // it has not grown
          givenUp++;
        }
      }
    }

    int tell() {
      StringBuilder lines = new StringBuilder();
      for (int which = 0; which < 2; which++) {
        for (int column = 0; column < COLUMNS; column++) {
          int place = (which * ROWS + row) * COLUMNS + column;
          lines.append("count " + place + " " + counts[which][column] + "\n");
        }
      }
      appends.forEach(append -> lines.append(append).append('\n'));
      System.out.print(lines);
      return givenUp;
    }
  }
}
