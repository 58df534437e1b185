package dev.zarrreactive.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The work that every client is asked for.
 *
 * @param name as the table has it
 * @param command of the protocol: {@code read}, {@code many}, {@code points}, {@code open}, {@code
 *     walk}, {@code write}, {@code update}, {@code stream} or {@code version}
 * @param array the name of the array or group
 * @param argument of the command: a selection in NumPy's notation, several with {@code |} between,
 *     points with {@code ;} between, or the way in which an array is written
 * @param kind which of the rounds and places it is for
 */
record Workload(String name, String command, String array, String argument, Kind kind) {
  /** The rounds and places that a workload is for. */
  enum Kind {
    /** Every place, by a process that has done the same before. */
    WARM,
    /** Every place, by a process that begins with it; its start counts. */
    COLD,
    /** A store of files alone. */
    FILES
  }

  private static final int AT_ONCE = 64;
  private static final String SLICE = "300:310,260:490,5";
  private static final String UPDATED = "40:140,40:140,40:140";

  /** Returns the workloads that need no file of their own: the arrays are copied to memory. */
  static List<Workload> inMemory(List<Workload> all) {
    return all.stream().filter(each -> each.kind() == Kind.WARM && !each.isOfTree()).toList();
  }

  /** Returns the workloads of the arrays that a bucket has. */
  static List<Workload> inBucket(List<Workload> all) {
    return all.stream().filter(each -> ServedBucket.ARRAYS.contains(each.array())).toList();
  }

  /** Returns the read over a server that fails. */
  static Workload withFaults() {
    return read("full read, zstd", ComparedArray.ZSTD.path(), "...");
  }

  /** Returns true where the array is made by the client, and erased before. */
  boolean writes() {
    return command.equals("write") || command.equals("update");
  }

  private boolean isOfTree() {
    return command.equals("open") || command.equals("walk");
  }

  private static Workload read(String name, String array, String selection) {
    return new Workload(name, "read", array, selection, Kind.WARM);
  }

  /** Returns the workloads of arrays with {@code side} elements along each of three dimensions. */
  static List<Workload> all(int side) {
    List<Workload> all = new ArrayList<>();
    for (ComparedArray array : ComparedArray.values()) {
      all.add(read("full read, " + array.title(), array.path(), "..."));
    }
    int middle = side / 2;
    for (ComparedArray array :
        new ComparedArray[] {
          ComparedArray.ZSTD, ComparedArray.SHARDED_64, ComparedArray.SHARDED_16
        }) {
      String of = ", " + array.title();
      all.add(read("slice of 12 chunks of 64³" + of, array.path(), "10:118,10:118,10:182"));
      all.add(read("slice of 18 chunks of 64³" + of, array.path(), "10:118,10:182,10:182"));
      all.add(read("small slice" + of, array.path(), "100:140,100:140,100:140"));
      all.add(read("z-plane" + of, array.path(), middle + ",:,:"));
      all.add(read("y-plane" + of, array.path(), ":," + middle + ",:"));
      all.add(read("x-plane" + of, array.path(), ":,:," + middle));
    }
    String zstd = ComparedArray.ZSTD.path();
    all.add(read("every 8th along each dimension, zstd", zstd, "::8,::8,::8"));
    all.add(read("orthogonal lists of 16, zstd", zstd, lists(side)));
    all.add(new Workload("1,000 points, zstd", "points", zstd, points(side), Kind.WARM));
    all.add(
        new Workload(
            "64 slices of 32³ at once, zstd", "many", zstd, boxes(side, 32, 1), Kind.WARM));
    all.add(
        new Workload(
            "64 inner chunks of 16³ at once",
            "many",
            ComparedArray.SHARDED_16.path(),
            boxes(side, 16, 16),
            Kind.WARM));
    all.add(read("full read, 20,000 chunks of 32 bytes", ComparedData.TINY, "..."));
    all.add(
        new Workload(
            "full read, 100,000 chunks of 32 bytes",
            "read",
            ComparedData.TINIER,
            "...",
            Kind.FILES));
    for (long chunks : ComparedData.GROWN) {
      all.add(
          new Workload(
              String.format(Locale.ROOT, "10 chunks of %,d", chunks),
              "read",
              ComparedData.grown(chunks),
              (chunks / 2 - 5) * ComparedData.TINY_ELEMENTS
                  + ":"
                  + (chunks / 2 + 5) * ComparedData.TINY_ELEMENTS,
              Kind.FILES));
    }
    all.add(new Workload("stream of chunks, 2 ms each, zstd", "stream", zstd, "2", Kind.FILES));
    all.add(
        new Workload(
            "open 1,000 arrays", "open", ComparedData.TREE, ComparedData.NODES, Kind.WARM));
    all.add(
        new Workload(
            "walk 1,000 nodes, consolidated", "walk", ComparedData.CONSOLIDATED, "", Kind.WARM));
    all.add(new Workload("walk 1,000 nodes, listed", "walk", ComparedData.TREE, "", Kind.FILES));
    all.add(new Workload("first value of a process", "read", zstd, "5,5,5", Kind.COLD));
    all.add(new Workload("write, zstd", "write", "written", "plain", Kind.FILES));
    all.add(new Workload("write, zstd in shards", "write", "written", "sharded", Kind.FILES));
    all.add(
        new Workload("update of 100³ in shards of 128³", "update", "updated", UPDATED, Kind.FILES));
    return all;
  }

  /** Returns the workloads of a repository of Icechunk. */
  static List<Workload> ofRepository() {
    String large = ComparedRepository.LARGE;
    return List.of(
        new Workload("open a repository and an array", "version", large, "", Kind.WARM),
        new Workload(
            "open both, and read a slice of one chunk", "version", large, SLICE, Kind.WARM),
        read("whole array of 160 MB, 64 chunks, zstd", large, "..."),
        read("slice of one chunk", large, SLICE),
        new Workload("64 slices at once", "many", large, eachChunk(), Kind.WARM),
        read("1,000 small chunks", ComparedRepository.SMALL, "..."));
  }

  /** Returns the read of 1,000 chunks of 16 KiB that lie side by side in one file. */
  static Workload ofAdjacentChunks() {
    return read("1,000 adjacent virtual chunks of 16 KiB", ComparedRepository.ADJACENT, "...");
  }

  /** Returns a slice of each chunk of the large array. */
  private static String eachChunk() {
    return joined(
        AT_ONCE,
        "|",
        i -> {
          int row = 250 * (i / 8) + 100;
          int column = 250 * (i % 8) + 50;
          return row + ":" + (row + 8) + "," + column + ":" + (column + 95) + ",3";
        });
  }

  private static String lists(int side) {
    String list =
        IntStream.range(0, 16)
            .mapToObj(i -> Integer.toString(i * side / 16 + 3))
            .collect(Collectors.joining(",", "[", "]"));
    return list + "," + list + "," + list;
  }

  private static String points(int side) {
    Random random = new Random(1);
    return joined(
        1000,
        ";",
        i -> random.nextInt(side) + "," + random.nextInt(side) + "," + random.nextInt(side));
  }

  /** Returns boxes at random places that are multiples of {@code grid}. */
  private static String boxes(int side, int size, int grid) {
    Random random = new Random(size);
    IntFunction<String> range =
        dimension -> {
          int from = random.nextInt((side - size) / grid + 1) * grid;
          return from + ":" + (from + size);
        };
    return joined(AT_ONCE, "|", i -> range.apply(0) + "," + range.apply(1) + "," + range.apply(2));
  }

  private static String joined(int count, String between, IntFunction<String> part) {
    return IntStream.range(0, count).mapToObj(part).collect(Collectors.joining(between));
  }
}
