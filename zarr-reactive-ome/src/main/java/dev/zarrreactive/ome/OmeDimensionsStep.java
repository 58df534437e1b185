package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Applies steps to some of the axes each; every output is of one of them. */
record OmeDimensionsStep(List<OmeDimensionsStep.Part> parts, int inputs, int outputs)
    implements OmeStep {
  /** A step, the inputs that it takes and the outputs that it gives. */
  record Part(OmeStep step, List<Integer> from, List<Integer> to) {
    Part {
      from = List.copyOf(from);
      to = List.copyOf(to);
    }
  }

  OmeDimensionsStep {
    parts = List.copyOf(parts);
  }

  @Override
  public Mono<double[]> point(double[] point) {
    return Flux.fromIterable(parts)
        .concatMap(
            part -> part.step.point(part.from.stream().mapToDouble(axis -> point[axis]).toArray()))
        .collectList()
        .map(
            carried -> {
              double[] result = new double[outputs];
              for (int p = 0; p < parts.size(); p++) {
                for (int i = 0; i < carried.get(p).length; i++) {
                  result[parts.get(p).to.get(i)] = carried.get(p)[i];
                }
              }
              return result;
            });
  }

  @Override
  public Mono<OmeBox> box(OmeBox box) {
    return Flux.fromIterable(parts)
        .concatMap(
            part ->
                part.step.box(
                    new OmeBox(
                        part.from.stream().map(box.from()::get).toList(),
                        part.from.stream().map(box.to()::get).toList())))
        .collectList()
        .map(
            carried -> {
              double[] from = new double[outputs];
              double[] to = new double[outputs];
              for (int p = 0; p < parts.size(); p++) {
                for (int i = 0; i < carried.get(p).from().size(); i++) {
                  from[parts.get(p).to.get(i)] = carried.get(p).from().get(i);
                  to[parts.get(p).to.get(i)] = carried.get(p).to().get(i);
                }
              }
              return OmeBox.of(from, to);
            });
  }

  @Override
  public boolean isInvertible() {
    return parts.stream().allMatch(part -> part.step.isInvertible()) && takesEachInputOnce();
  }

  private boolean takesEachInputOnce() {
    List<Integer> all = parts.stream().flatMap(part -> part.from.stream()).sorted().toList();
    return all.size() == inputs && all.stream().distinct().count() == inputs;
  }

  @Override
  public @Nullable OmeStep inverse() {
    List<Part> inverses = new ArrayList<>();
    for (Part part : parts) {
      OmeStep inverse = part.step.inverse();
      if (inverse == null) {
        return null;
      }
      inverses.add(new Part(inverse, part.to, part.from));
    }
    return takesEachInputOnce() ? new OmeDimensionsStep(inverses, outputs, inputs) : null;
  }

  @Override
  public Mono<OmeStep> load(ZarrGroup group) {
    return Flux.fromIterable(parts)
        .concatMap(part -> part.step.load(group).map(step -> new Part(step, part.from, part.to)))
        .collectList()
        .map(loaded -> new OmeDimensionsStep(loaded, inputs, outputs));
  }

  @Override
  public double @Nullable [][] matrix() {
    double[][] rows = new double[outputs][inputs + 1];
    for (Part part : parts) {
      double[][] own = part.step.matrix();
      if (own == null) {
        return null;
      }
      for (int o = 0; o < own.length; o++) {
        for (int i = 0; i < part.from.size(); i++) {
          rows[part.to.get(o)][part.from.get(i)] += own[o][i];
        }
        rows[part.to.get(o)][inputs] = own[o][part.from.size()];
      }
    }
    return rows;
  }
}
