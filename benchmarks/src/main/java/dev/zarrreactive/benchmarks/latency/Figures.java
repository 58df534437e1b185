package dev.zarrreactive.benchmarks.latency;

import dev.zarrreactive.benchmarks.network.NetworkFigures;
import dev.zarrreactive.benchmarks.network.Transport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints what reads take over a link with latency, each figure with its floor and its bound; ends
 * with 1 where one does not hold. {@code reads}, {@code gaps}, {@code http} and {@code s3} print a
 * part, {@code http2} one that is not printed otherwise.
 */
public final class Figures {
  private static final List<String> PARTS = List.of("reads", "gaps", "http", "s3");

  private Figures() {}

  /** Runs them. */
  public static void main(String[] arguments) {
    List<String> parts = arguments.length == 0 ? PARTS : List.of(arguments);
    boolean good = true;
    if (parts.contains("reads")) {
      List<Figure> figures = new ArrayList<>();
      figures.add(ReadFigures.threads());
      new ReadFigures().all(); // warms up
      figures.addAll(new ReadFigures().all());
      good = print(figures, System.out);
    }
    if (parts.contains("gaps")) {
      good &= print(new GapSweep(System.out).all(), System.out);
    }
    if (parts.contains("http")) {
      good &= print(NetworkFigures.of(Transport.http(false)), System.out);
    }
    if (parts.contains("s3")) {
      good &= print(NetworkFigures.of(Transport.s3()), System.out);
    }
    if (parts.contains("http2")) {
      good &= print(NetworkFigures.of(Transport.http(true)), System.out);
    }
    System.exit(good ? 0 : 1);
  }

  private static boolean print(List<Figure> figures, PrintStream out) {
    out.println(Figure.HEAD);
    figures.forEach(figure -> out.println(figure.row()));
    out.println();
    return figures.stream().allMatch(Figure::holds);
  }
}
