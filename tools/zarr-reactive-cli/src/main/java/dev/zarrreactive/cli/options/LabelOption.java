package dev.zarrreactive.cli.options;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.cf.CfRule;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.error.InvalidInputException;
import dev.zarrreactive.internal.labels.DimensionLabel;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** The option for a part that is found by the labels of coordinates. */
public final class LabelOption {
  @Option(
      names = "--sel",
      paramLabel = "LABEL",
      converter = LabelConverter.class,
      description = "By coordinates: time=2026-01, lat=40..50, lat~48.")
  private List<DimensionLabel> labels = List.of();

  /** Returns true if the command has the option. */
  public boolean isGiven() {
    return !labels.isEmpty();
  }

  /** Returns the dimensions of the labels, which are the names of their coordinates. */
  public List<String> dimensions() {
    return labels.stream().map(DimensionLabel::dimension).distinct().toList();
  }

  /**
   * Emits the part of a dataset that the labels choose, one after the other.
   *
   * @return errors for a label that is missing, and for a range that is empty because the
   *     coordinate runs the other way, with the option that works
   */
  public Mono<Dataset> partOf(Dataset dataset) {
    Mono<Dataset> part = Mono.just(dataset);
    for (DimensionLabel label : labels) {
      part = part.flatMap(whole -> cut(whole, label));
    }
    return part;
  }

  /**
   * Emits the part that the labels choose of an array and of the coordinates beside it.
   *
   * @param wanted the names of the variables that must agree with each other
   */
  public Mono<Dataset> partOf(NodePlace place, ZarrArray array, Collection<String> wanted) {
    return array.path().isRoot()
        ? Mono.error(ofAlone())
        : whole(place, array, wanted).flatMap(this::partOf);
  }

  /** Returns the refusal of labels of an array that is in no group. */
  public static CommandFailure ofAlone() {
    return new CommandFailure("--sel needs the coordinates of a group, and this array is alone");
  }

  /** Emits an array with the coordinates beside it. */
  public Mono<Dataset> whole(NodePlace place, ZarrArray array, Collection<String> wanted) {
    return place
        .hierarchy()
        .openGroup(array.path().parent().value())
        .flatMap(
            group ->
                place
                    .beside(group, array)
                    .collectList()
                    .map(nodes -> Dataset.of(group, nodes, CfRule.all(), wanted)));
  }

  private static Mono<Dataset> cut(Dataset whole, DimensionLabel label) {
    return find(whole, label)
        .onErrorMap(InvalidInputException.class, error -> inOptions(error, label))
        .delayUntil(part -> checkOrder(whole, part, label));
  }

  private static Mono<Dataset> find(Dataset whole, DimensionLabel label) {
    return label.applyTo(whole.select()).dataset();
  }

  /** Names the option that works in the place of the library's word for it. */
  private static Throwable inOptions(InvalidInputException error, DimensionLabel label) {
    return new CommandFailure(
        String.valueOf(error.getMessage())
            .replace(
                "LabelMethod.NEAREST finds",
                "--sel " + label.dimension() + "~" + label.from() + " selects")
            .replace("; use isel", "; --select takes indices"),
        error);
  }

  private static Mono<Void> checkOrder(Dataset whole, Dataset part, DimensionLabel label) {
    String name = label.dimension();
    if (!label.isRange()
        || label.from().isEmpty()
        || label.to().isEmpty()
        || size(part, name) > 0) {
      return Mono.empty();
    }
    DimensionLabel reversed = new DimensionLabel(name, false, true, label.to(), label.from());
    return find(whole, reversed)
        .doOnNext(
            found -> {
              if (size(found, name) > 0) {
                throw new CommandFailure(
                    "--sel "
                        + name
                        + "="
                        + label.from()
                        + ".."
                        + label.to()
                        + " selects nothing, because "
                        + name
                        + " runs the other way: --sel "
                        + name
                        + "="
                        + label.to()
                        + ".."
                        + label.from()
                        + " selects "
                        + size(found, name)
                        + " of its values");
              }
            })
        .then();
  }

  private static long size(Dataset dataset, String dimension) {
    return dataset.sizes().getOrDefault(dimension, 0L);
  }
}
