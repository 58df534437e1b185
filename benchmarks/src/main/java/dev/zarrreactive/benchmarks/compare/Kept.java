package dev.zarrreactive.benchmarks.compare;

import com.github.luben.zstd.Zstd;
import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.benchmarks.latency.Stopwatch;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.ArrayMetadataBuilder;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import java.io.IOException;
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
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;

/**
 * The short form of the comparison, of a minute: this client's time ÷ that of a plain copy, of a
 * codec's library on all cores, and of a plain client of Reactor Netty, in turns within one
 * process. The file of the first argument is the history: each line has a day, a ratio and its
 * name, and the last line of a name counts. The program ends with 1 where a ratio is worse by a
 * fifth; with {@code --write} behind, it adds what it has measured to the file.
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
  private static final int TRIES = 5;
  private static final long WARM_NANOS = 4_000_000_000L;

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
    kept.requests();
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
                "%-40s %.2f, before %s%s%n",
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

  private static ZarrArray written(ArrayMetadata metadata, NdArray values) {
    Store store = MemoryStore.create();
    ZarrArray array =
        Objects.requireNonNull(Zarr.hierarchy(store).createArray("a", metadata).block());
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
    long end = System.nanoTime() + WARM_NANOS;
    while (System.nanoTime() < end) {
      work.run();
      floor.run();
    }
    double least = ratio(work, floor);
    for (int tries = 1; tries < TRIES && isWorse(name, least); tries++) {
      least = Math.min(least, ratio(work, floor));
    }
    ratios.put(name, least);
  }

  private static double ratio(Runnable work, Runnable floor) {
    double least = Double.MAX_VALUE;
    for (int group = 0; group < GROUPS; group++) {
      double[] turns = new double[TURNS];
      for (int turn = 0; turn < TURNS; turn++) {
        boolean first = turn % 2 == 0;
        double before = first ? nanos(work) : nanos(floor);
        double after = first ? nanos(floor) : nanos(work);
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
