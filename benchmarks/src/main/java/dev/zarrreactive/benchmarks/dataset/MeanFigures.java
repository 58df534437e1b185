package dev.zarrreactive.benchmarks.dataset;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.Statistic;
import dev.zarrreactive.dataset.Variable;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.Locale;

/**
 * Prints how fast the mean over time of a large dataset is, beside streams of its chunks: {@code
 * int16} with a scale, an offset and missing values, zstd, which a store makes while it is asked.
 * To be run with {@code -Xmx256m}. The first argument is the number of times, of which 10,112 are
 * 20 GB stored and 84 GB decoded; the second one the number of times in a chunk; the third one the
 * number of rounds. With {@code mean} as the fourth, only stored chunks and their mean take turns.
 */
public final class MeanFigures {
  private MeanFigures() {}

  /** Prints a table in Markdown. */
  public static void main(String[] arguments) {
    int times = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_112;
    int inChunk = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 16;
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
    boolean isMeanAlone = arguments.length > 3 && arguments[3].equals("mean");
    PrintStream out = System.out;
    VirtualClimate store = new VirtualClimate(times, inChunk);
    ZarrHierarchy hierarchy = Zarr.hierarchy(store);
    Variable t2m = Dataset.open(hierarchy, "").block().variable("t2m");
    Variable warm = t2m.isel("time", "0:" + Math.min(times, 16 * inChunk));
    for (int i = 0; i < 3; i++) {
      round(warm, isMeanAlone);
    }
    double[][] all = new double[rounds][];
    for (int i = 0; i < rounds; i++) {
      all[i] = round(t2m, isMeanAlone);
    }
    double gigabytes = 2.0 * times * VirtualClimate.ROWS * VirtualClimate.COLUMNS / 1e9;
    out.printf(
        Locale.ROOT,
        "%.1f GB of int16, a heap of %d MiB%n%n",
        gigabytes,
        Runtime.getRuntime().maxMemory() >> 20);
    if (isMeanAlone) {
      double[] speeds = Arrays.stream(all).mapToDouble(row -> row[0] / row[1]).sorted().toArray();
      out.println("mean: speed ÷ stored chunks, of each round: " + Arrays.toString(speeds));
      System.exit(0);
    }
    out.println("| | speed ÷ stored chunks | speed ÷ decoded chunks |");
    out.println("|---|---|---|");
    String[] names = {"mean", "mean, std, min, max and count"};
    for (int n = 0; n < names.length; n++) {
      out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.2f |%n",
          names[n],
          median(all, 0) / median(all, n + 2),
          median(all, 1) / median(all, n + 2));
    }
    System.exit(0);
  }

  private static double median(double[][] all, int column) {
    double[] sorted = Arrays.stream(all).mapToDouble(row -> row[column]).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  /**
   * Returns the seconds of streams of stored and of decoded chunks, and of two reductions; or of
   * the stored chunks and the mean.
   */
  private static double[] round(Variable t2m, boolean isMeanAlone) {
    Runnable stored = () -> t2m.raw().chunks().blockLast();
    Runnable mean = () -> t2m.over("time").mean().block();
    if (isMeanAlone) {
      return new double[] {seconds(stored), seconds(mean)};
    }
    return new double[] {
      seconds(stored),
      seconds(() -> t2m.chunks().blockLast()),
      seconds(mean),
      seconds(() -> t2m.over("time").statistics(Statistic.values()).block())
    };
  }

  private static double seconds(Runnable work) {
    long began = System.nanoTime();
    work.run();
    return (System.nanoTime() - began) / 1e9;
  }
}
