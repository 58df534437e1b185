package dev.zarrreactive.cli.change;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.metadata.ConsolidatedMetadata;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import reactor.core.publisher.Mono;

/** {@code zarr consolidate}. */
@Command(
    name = "consolidate",
    headerHeading = "Example: zarr consolidate earth.zarr%n",
    description = "Writes the metadata of all nodes below a group into one document.")
public final class ConsolidateCommand extends NodeOperation {
  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String adviceAfterInterrupt() {
    return "the consolidated metadata are the old or the new ones";
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return changedLocation().in(options(), place -> consolidate(place, console));
  }

  private Mono<Void> consolidate(NodePlace place, CommandConsole console) {
    place.checkWritable();
    return withWarnings(place.openGroup())
        .flatMap(ZarrGroup::consolidate)
        .publishOn(console.thread())
        .doOnNext(group -> console.note(summary(group)))
        .then();
  }

  private static String summary(ZarrGroup group) {
    ConsolidatedMetadata consolidated = group.metadata().consolidated();
    int nodes = consolidated == null ? 0 : consolidated.paths().size();
    return "Consolidated the metadata of " + Quantities.plural(nodes, "node") + ".";
  }
}
