package dev.zarrreactive.cli.output;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.DimensionLabel;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.DatasetSelection;
import dev.zarrreactive.dataset.cf.CfDecoding;
import dev.zarrreactive.dataset.cf.CfRule;
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
      converter = DimensionLabel.Converter.class,
      description = "By coordinates: time=2026-01, lat=40..50, lat~48.")
  private List<DimensionLabel> labels = List.of();

  @Option(names = "--decode", description = "Values by the CF conventions: masked, scaled, dated.")
  private boolean decode;

  /** Returns true if coordinates beside the array are needed. */
  public boolean hasLabels() {
    return !labels.isEmpty();
  }

  /** Returns true if the command has one of the options. */
  public boolean isGiven() {
    return decode || hasLabels();
  }

  /** Returns the decoding of an array; without {@code --decode} that of stored elements. */
  public CfDecoding decoding(ZarrArray array) {
    return CfDecoding.of(array.metadata(), array.attributes(), rules(), false);
  }

  /** Returns the rules of {@code --decode}. */
  public Set<CfRule> rules() {
    return decode ? CfRule.all() : Set.of();
  }

  /** Returns the names of the array and of the coordinates that are asked for labels. */
  private List<String> wanted(ZarrArray array) {
    List<String> names = new ArrayList<>(labels.stream().map(DimensionLabel::dimension).toList());
    names.add(array.path().name());
    return names;
  }

  /**
   * Finds the labels in the coordinates beside the array.
   *
   * @param rest what is selected of the part that is left
   */
  public Mono<Selection> selected(NodePlace place, ZarrArray array, Selection rest) {
    if (labels.isEmpty()) {
      return Mono.just(rest);
    } else if (array.path().isRoot()) {
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
            })
        .map(part -> part.storedSelection(rest));
  }
}
