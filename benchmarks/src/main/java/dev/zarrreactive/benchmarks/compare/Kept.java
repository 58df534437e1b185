package dev.zarrreactive.benchmarks.compare;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.benchmarks.latency.Stopwatch;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.json.JsonNumber;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;

/**
 * The short form of the comparison, of a minute or two: this client's time ÷ that of a plain copy,
 * of a codec's library on all cores, of plain calls of the file system, and of a plain client of
 * Reactor Netty, in turns within one process; and the processor time of a JVM that reads one array
 * ÷ that of a JVM that reads the same file and decodes it. The file of the first argument is the
 * history: each line has a day, a ratio and its name, and the last line of a name counts. The
 * program ends with 1 where a ratio is worse by a fifth; with {@code --write} behind, it adds what
 * it has measured to the file.
 *
 * <p>A ratio is the least of the medians of three groups of turns: what slows the machine for a
 * while spoils one group, and a change of the code spoils all. A ratio that is worse is measured
 * again, up to four times, before it counts.
 */
public final class Kept {
  private static final double WORSE = 1.2;
  private static final int CHUNKS = 32;
  private static final int SIDE = 1 << 20;
  private static final int VALUES = 200;
  private static final int AT_ONCE = 16;
  private static final int GROUPS = 3;
  private static final int TURNS = 9;
  private static final int FIRST_TURNS = 3;
  private static final int TRIES = 5;
  private static final long WARM_NANOS = 4_000_000_000L;
  private static final int SMALL = 4096;
  private static final int MISSING = 1000;

  private final Map<String, Double> before;
  private final Map<String, Double> ratios = new TreeMap<>();

  private Kept(Map<String, Double> before) {
    this.before = before;
  }

  /** Measures, and compares with the file. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    Map<String, Double> before = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] parts = line.split(" ", 3);
      before.put(parts[2], Double.valueOf(parts[1]));
    }
    Kept kept = new Kept(before);
    kept.decoding();
    kept.smallChunks();
    kept.requests();
    Path directory = Files.createTempDirectory("kept");
    try {
      kept.writes(directory);
      kept.missingChunks(directory);
      kept.firstReads(directory);
    } finally {
      FileSystemStore.open(directory).erasePrefix(StorePrefix.ROOT).block();
      Files.deleteIfExists(directory);
    }
    if (List.of(arguments).contains("--write")) {
      List<String> lines = new ArrayList<>();
      kept.ratios.forEach(
          (name, ratio) ->
              lines.add(
                  String.format(
                      Locale.ROOT, "%s %.2f %s", LocalDate.now(ZoneOffset.UTC), ratio, name)));
      Files.write(file, lines, StandardOpenOption.APPEND);
    }
    kept.ratios.forEach(
        (name, ratio) ->
            System.out.printf(
                Locale.ROOT,
                "%-60s %.2f, before %s%s%n",
                name,
                ratio,
                before.get(name),
                kept.isWorse(name, ratio) ? " WORSE" : ""));
    System.exit(kept.ratios.entrySet().stream().anyMatch(kept::isWorse) ? 1 : 0);
  }

  private boolean isWorse(Map.Entry<String, Double> ratio) {
    return isWorse(ratio.getKey(), ratio.getValue());
  }

  private boolean isWorse(String name, double ratio) {
    Double kept = before.get(name);
    return kept != null && ratio > WORSE * kept;
  }

  private static byte[] content() {
    byte[] content = new byte[CHUNKS * SIDE];
    int noise = 7;
    for (int i = 0; i < content.length; i++) {
      noise = noise * 1_103_515_245 + 12_345;
      content[i] = (byte) ((i >> 8) + (noise >>> 30));
    }
    return content;
  }

  /** Whole reads from memory. */
  private void decoding() {
    byte[] content = content();
    NdArray values = NdArray.ofBytes(DataTypes.UINT8, Shape.of(content.length), content);
    ArrayMetadataBuilder chunked =
        ArrayMetadata.v3(values.shape(), DataTypes.UINT8).chunkShape(SIDE);
    ZarrArray plain = written(chunked.uncompressed().build(), values);
    ZarrArray zstd = written(chunked.compressors(Codecs.zstd(3)).build(), values);
    byte[][] frames =
        IntStream.range(0, CHUNKS)
            .mapToObj(i -> Arrays.copyOfRange(content, i * SIDE, (i + 1) * SIDE))
            .map(part -> Zstd.compress(part, 3))
            .toArray(byte[][]::new);
    byte[][] copy = new byte[1][]; // kept, so that it is made
    measure(
        "memory, no codec ÷ a copy", () -> plain.read().block(), () -> copy[0] = content.clone());
    measure(
        "memory, zstd ÷ the library",
        () -> zstd.read().block(),
        () -> {
          byte[] result = new byte[content.length];
          IntStream.range(0, CHUNKS)
              .parallel()
              .forEach(
                  i ->
                      Zstd.decompressByteArray(
                          result, i * SIDE, SIDE, frames[i], 0, frames[i].length));
        });
  }

  /** Whole shards of small inner chunks, from memory. */
  private void smallChunks() {
    byte[] content = content();
    NdArray values = NdArray.ofBytes(DataTypes.UINT8, Shape.of(content.length), content);
    ZarrArray small =
        written(
            ArrayMetadata.v3(values.shape(), DataTypes.UINT8)
                .chunkShape(SMALL)
                .shardShape(SIDE)
                .uncompressed()
                .build(),
            values);
    byte[][] copy = new byte[1][];
    measure(
        "memory, inner chunks of 4 KiB ÷ a copy",
        () -> small.read().block(),
        () -> copy[0] = content.clone());
  }

  /** A whole array to files that are there already. */
  private void writes(Path directory) throws IOException {
    byte[] content = content();
    NdArray values = NdArray.ofBytes(DataTypes.UINT8, Shape.of(content.length), content);
    ArrayMetadata metadata =
        ArrayMetadata.v3(values.shape(), DataTypes.UINT8)
            .chunkShape(SIDE)
            .compressors(Codecs.zstd(3))
            .build();
    ZarrArray array = created(FileSystemStore.open(directory), "written", metadata);
    Path plain = Files.createDirectories(directory.resolve("plain"));
    measure(
        "files, write of zstd ÷ the library and plain writes",
        () -> array.write(Selection.all(), values).block(),
        () ->
            IntStream.range(0, CHUNKS)
                .parallel()
                .forEach(
                    i -> {
                      byte[] part = Arrays.copyOfRange(content, i * SIDE, (i + 1) * SIDE);
                      try {
                        Files.write(plain.resolve("c" + i), Zstd.compress(part, 3));
                      } catch (IOException e) {
                        throw new UncheckedIOException(e);
                      }
                    }));
  }

  /** Chunks of a sparse array, none of which is there. */
  private void missingChunks(Path directory) {
    ArrayMetadata metadata =
        ArrayMetadata.v3(Shape.of(MISSING), DataTypes.UINT8).chunkShape(1).build();
    ZarrArray array = created(FileSystemStore.open(directory), "missing", metadata);
    Path chunks = directory.resolve("missing");
    int[] found = new int[1];
    measure(
        "files, 1,000 missing chunks ÷ plain look-ups",
        () -> array.read().block(),
        () -> {
          for (int i = 0; i < MISSING; i++) {
            found[0] += Files.isRegularFile(chunks.resolve("c" + i), NOFOLLOW_LINKS) ? 1 : 0;
          }
        });
  }

  /** New JVMs, by the processor time that they tell. */
  private void firstReads(Path directory) {
    NdArray values = NdArray.ofBytes(DataTypes.UINT8, Shape.of(SMALL), new byte[SMALL]);
    ArrayMetadata metadata =
        ArrayMetadata.v3(values.shape(), DataTypes.UINT8)
            .compressors(Codecs.zstd(3))
            .fillValue(JsonNumber.of(1))
            .build();
    created(FileSystemStore.open(directory), "first", metadata)
        .write(Selection.all(), values)
        .block();
    String file = directory.resolve("first/c/0").toString();
    String array = directory.resolve("first").toString();
    measure(
        "a JVM's first read of a file ÷ a JVM that decodes the file",
        0,
        FIRST_TURNS,
        () -> FirstRead.processorTime(FirstRead.OF_AN_ARRAY, array),
        () -> FirstRead.processorTime(FirstRead.OF_A_FILE, file));
  }

  private static ZarrArray created(Store store, String path, ArrayMetadata metadata) {
    return Objects.requireNonNull(Zarr.hierarchy(store).createArray(path, metadata).block());
  }

  private static ZarrArray written(ArrayMetadata metadata, NdArray values) {
    Store store = MemoryStore.create();
    ZarrArray array = created(store, "a", metadata);
    array.write(Selection.all(), values).block();
    return array;
  }

  /** Small values and whole arrays from a server of this process. */
  private void requests() {
    byte[] content = content();
    NdArray values = NdArray.ofBytes(DataTypes.UINT8, Shape.of(content.length), content);
    Store memory = MemoryStore.create();
    ArrayMetadata large =
        ArrayMetadata.v3(values.shape(), DataTypes.UINT8).uncompressed().chunkShape(SIDE).build();
    Zarr.hierarchy(memory)
        .createArray("large", large)
        .flatMap(array -> array.write(Selection.all(), values))
        .block();
    ArrayMetadata small =
        ArrayMetadata.v3(Shape.of(VALUES * 64), DataTypes.UINT8)
            .uncompressed()
            .chunkShape(64)
            .build();
    byte[] ones = new byte[VALUES * 64];
    Arrays.fill(ones, (byte) 1);
    NdArray few = NdArray.ofBytes(DataTypes.UINT8, Shape.of(ones.length), ones);
    Zarr.hierarchy(memory)
        .createArray("small", small)
        .flatMap(array -> array.write(Selection.all(), few))
        .block();
    RunningServer server = Objects.requireNonNull(ZarrServer.of(memory).port(0).start().block());
    String url = "http://127.0.0.1:" + server.port();
    Store store = Objects.requireNonNull(Zarr.at(url).store().block());
    HttpClient client = HttpClient.create().baseUrl(url);
    for (String path : List.of("large", "small")) {
      ZarrArray array = Objects.requireNonNull(Zarr.hierarchy(store).openArray(path).block());
      int chunks = path.equals("large") ? CHUNKS : VALUES;
      measure(
          "HTTP, " + chunks + " " + path + " chunks ÷ a plain client",
          () -> array.read().block(),
          () ->
              Flux.range(0, chunks)
                  .flatMap(
                      i ->
                          client
                              .get()
                              .uri("/" + path + "/c/" + i)
                              .responseSingle((head, body) -> body.asByteArray()),
                      AT_ONCE)
                  .blockLast());
    }
    store.close().block();
    server.close().block();
  }

  private void measure(String name, Runnable work, Runnable floor) {
    measure(name, WARM_NANOS, TURNS, () -> nanos(work), () -> nanos(floor));
  }

  private void measure(
      String name, long warm, int turns, DoubleSupplier work, DoubleSupplier floor) {
    long end = System.nanoTime() + warm;
    while (System.nanoTime() < end) {
      ratio(1, work, floor);
    }
    double least = ratio(turns, work, floor);
    for (int tries = 1; tries < TRIES && isWorse(name, least); tries++) {
      least = Math.min(least, ratio(turns, work, floor));
    }
    ratios.put(name, least);
  }

  private static double ratio(int count, DoubleSupplier work, DoubleSupplier floor) {
    double least = Double.MAX_VALUE;
    for (int group = 0; group < GROUPS; group++) {
      double[] turns = new double[count];
      for (int turn = 0; turn < count; turn++) {
        boolean first = turn % 2 == 0;
        double before = (first ? work : floor).getAsDouble();
        double after = (first ? floor : work).getAsDouble();
        turns[turn] = first ? before / after : after / before;
      }
      least = Math.min(least, Stopwatch.median(turns));
    }
    return least;
  }

  private static double nanos(Runnable work) {
    long begun = System.nanoTime();
    work.run();
    work.run();
    work.run();
    return System.nanoTime() - begun;
  }
}
