package dev.zarrreactive.cli;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.describe.ArrayDescription;
import dev.zarrreactive.cli.describe.GroupDescription;
import dev.zarrreactive.json.JsonText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** {@code zarr info}. */
@Command(name = "info", description = "Says what an array or a group is.")
final class InfoCommand extends NodeOperation {
  @Option(names = "--json", description = "Print the metadata document instead.")
  private boolean json;

  @Override
  Mono<Void> execute(CommandConsole console) {
    return warned(location().open(options()))
        .flatMap(node -> json ? Mono.just(document(node)) : description(node))
        .publishOn(console.thread())
        .doOnNext(console.out()::print)
        .then();
  }

  private static String document(ZarrNode node) {
    return JsonText.writePretty(node.metadata().document()) + "\n";
  }

  private Mono<String> description(ZarrNode node) {
    return node instanceof ZarrArray array
        ? Mono.just(ArrayDescription.of(subject(), array).text(colours().isOn()))
        : GroupDescription.of(subject(), (ZarrGroup) node)
            .map(description -> description.text(colours().isOn()));
  }
}
