package dev.zarrreactive.cli.output;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.LabelConverter;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetSelection;
import dev.zarrreactive.dataset.Variable;
import dev.zarrreactive.dataset.cf.CfDecoding;
import dev.zarrreactive.dataset.cf.CfRule;
import dev.zarrreactive.internal.labels.DimensionLabel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** The options by which commands select by coordinates and decode elements. */
public final class CfOptions {
  @Option(
      names = "--sel",
      paramLabel = "LABEL",
      converter = LabelConverter.class,
      description = "By coordinates: time=2026-01, lat=40..50, lat~48.")
  private List<DimensionLabel> labels = List.of();

  @Option(names = "--decode", description = "Values by the CF conventions: masked, scaled, dated.")
  private boolean decode;

  /**
   * A part of an array, and the decoding that a dataset has for the array.
   *
   * @param selection of stored elements
   */
  public record Part(CfDecoding decoding, Selection selection) {
    private static Part of(Variable variable, Selection rest) {
      return new Part(variable.decoding(), variable.storedSelection(rest));
    }
  }

  /** Returns true if coordinates beside the array are needed. */
  public boolean hasLabels() {
    return !labels.isEmpty();
  }

  /** Returns true if the command has one of the options. */
  public boolean isGiven() {
    return decode || hasLabels();
  }

  /** Returns the decoding of an array alone; without {@code --decode} that of stored elements. */
  public CfDecoding decoding(ZarrArray array) {
    return Variable.of(array, List.of(), rules()).decoding();
  }

  private Set<CfRule> rules() {
    return decode ? CfRule.all() : Set.of();
  }

  /** Returns the names of the array and of the coordinates that are asked for labels. */
  private List<String> wanted(ZarrArray array) {
    List<String> names = new ArrayList<>(labels.stream().map(DimensionLabel::dimension).toList());
    names.add(array.path().name());
    return names;
  }

  /**
   * Emits what is selected of an array, and its decoding: that of stored elements without {@code
   * --decode}.
   *
   * @param rest what is selected of the part that the labels leave; where characters are joined to
   *     texts, of the texts
   * @param hierarchy the location of the array in the hierarchy that it lies in, which is opened
   *     where arrays beside it say how it is decoded
   */
  public Mono<Part> part(NodePlace place, ZarrArray array, Selection rest, NodeLocation hierarchy) {
    if (hasLabels()) {
      return findLabels(place, array)
          .map(variable -> Part.of(decode ? variable : variable.raw(), rest));
    } else if (!decode || Variable.isDecodedAlone(array)) {
      return Mono.just(Part.of(Variable.of(array, List.of(), rules()), rest));
    } else if (!array.path().isRoot()) {
      return place.beside(array).map(beside -> Part.of(Variable.of(array, beside, rules()), rest));
    }
    return hierarchy.in(
        place.hierarchy().options(),
        above ->
            above
                .openArray()
                .flatMap(
                    found ->
                        above
                            .beside(found)
                            .map(beside -> Part.of(Variable.of(found, beside, rules()), rest))));
  }

  /** Finds the labels in the coordinates beside the array. */
  private Mono<Variable> findLabels(NodePlace place, ZarrArray array) {
    if (array.path().isRoot()) {
      return Mono.error(
          new CommandFailure("--sel needs the coordinates of a group, and this array is alone"));
    }
    return place
        .hierarchy()
        .openGroup(array.path().parent().value())
        .flatMap(
            group ->
                place
                    .beside(group, array)
                    .collectList()
                    .map(nodes -> Dataset.of(group, nodes, CfRule.all(), wanted(array))))
        .flatMap(
            dataset -> {
              DatasetSelection chain = dataset.select();
              for (DimensionLabel label : labels) {
                chain = label.applyTo(chain);
              }
              return chain.variable(array.path().name());
            });
  }
}
