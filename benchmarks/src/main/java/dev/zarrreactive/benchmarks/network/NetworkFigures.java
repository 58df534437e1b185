package dev.zarrreactive.benchmarks.network;

import dev.zarrreactive.benchmarks.latency.Figure;
import java.util.ArrayList;
import java.util.List;

/** All figures over one transport. */
public final class NetworkFigures {
  private static final int TIMES = 7;

  private NetworkFigures() {}

  /** Medians of seven runs, with warm-up. */
  public static List<Figure> of(Transport transport) {
    List<Figure> figures = new ArrayList<>(new FloorFigures(transport, TIMES).all());
    figures.addAll(new FaultFigures(transport, TIMES).all());
    return figures;
  }
}
