package dev.zarrreactive.benchmarks.writing;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import reactor.core.publisher.Flux;

/**
 * The time of a commit of some changed chunks to a repository of Icechunk on disk, in turns with
 * icechunk for Python: {@code CommitFigures DIRECTORY PYTHON [PEER]}, with the directory for the
 * repositories, a Python that has icechunk, and the program {@code commit_peer.py} beside this one.
 * The chunks are small and inline. Only the commit counts.
 */
public final class CommitFigures {
  private static final int MOST = 100_000;
  private static final int[] COUNTS = {1, 1_000, MOST};

  /** Rounds that do not count, and those that do, of each count. */
  private static final int[][] ROUNDS = {{400, 100}, {40, 30}, {3, 5}};

  private CommitFigures() {}

  /** Measures. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    String peer =
        arguments.length > 2
            ? arguments[2]
            : "benchmarks/src/main/java/dev/zarrreactive/benchmarks/writing/commit_peer.py";
    IcechunkRepository repository =
        Objects.requireNonNull(
            Icechunk.create(FileSystemStore.open(directory.resolve("ours"))).block());
    IcechunkSession first = Objects.requireNonNull(repository.session("main").block());
    Zarr.hierarchy(first)
        .createArray("a", ArrayMetadata.v3(Shape.of(MOST), DataTypes.INT32).chunkShape(1).build())
        .block();
    first.commit("begin").block();
    Process python =
        new ProcessBuilder(arguments[1], peer, directory.resolve("theirs").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (Writer ask = python.outputWriter(StandardCharsets.UTF_8);
        BufferedReader answers =
            new BufferedReader(
                new InputStreamReader(python.getInputStream(), StandardCharsets.UTF_8))) {
      int made = 0;
      for (int i = 0; i < COUNTS.length; i++) {
        List<Long> ours = new ArrayList<>();
        List<Long> theirs = new ArrayList<>();
        long theirMemory = 0;
        for (int round = 0; round < ROUNDS[i][0] + ROUNDS[i][1]; round++) {
          long mine = commit(repository, COUNTS[i], made++);
          ask.write(COUNTS[i] + "\n");
          ask.flush();
          String[] words = Objects.requireNonNull(answers.readLine(), "no answer").split(" ", -1);
          if (round == 0) {
            tell(COUNTS[i] + " chunks, the first commit", mine, Long.parseLong(words[0]));
          }
          if (round >= ROUNDS[i][0]) {
            ours.add(mine);
            theirs.add(Long.valueOf(words[0]));
            theirMemory = Long.parseLong(words[1]);
          }
        }
        tell(COUNTS[i] + " chunks, median", place(ours, 2), place(theirs, 2));
        tell(COUNTS[i] + " chunks, fastest tenth", place(ours, 10), place(theirs, 10));
        System.out.println(
            "  memory at most: " + memory() / 1024 + " MiB, of icechunk " + theirMemory / 1024);
      }
    } finally {
      python.destroy();
    }
  }

  private static long commit(IcechunkRepository repository, int count, int number) {
    IcechunkSession session = Objects.requireNonNull(repository.session("main").block());
    Flux.range(0, count)
        .concatMap(
            chunk -> {
              int value = chunk + number + 1;
              byte[] bytes = {
                (byte) value, (byte) (value >> 8), (byte) (value >> 16), (byte) (value >> 24)
              };
              return session.set(StoreKey.of("a/c/" + chunk), Bytes.wrap(bytes));
            })
        .blockLast();
    long start = System.nanoTime();
    session.commit("commit " + number).block();
    return (System.nanoTime() - start) / 1000;
  }

  private static void tell(String what, long ours, long theirs) {
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s: %d µs, of icechunk %d, ratio %.2f",
            what,
            ours,
            theirs,
            (double) ours / theirs));
  }

  /** The time that one in so many does not exceed. */
  private static long place(List<Long> times, int oneIn) {
    long[] sorted = times.stream().mapToLong(each -> each).sorted().toArray();
    return sorted[sorted.length / oneIn];
  }

  /** The kilobytes that this process has had at most. */
  private static long memory() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmHWM"))
        .flatMap(line -> Arrays.stream(line.split("\\s+")))
        .filter(word -> word.matches("\\d+"))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
