package dev.zarrreactive.cli.change;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.CommitForecast;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.options.JsonWord;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr attrs}. */
@Command(
    name = "attrs",
    headerHeading = "Example: zarr attrs earth.zarr/earth/lat units=degrees_north%n",
    description = {
      "Shows, sets and deletes attributes.",
      "All of them without NAME. A VALUE is JSON, or else a text."
    })
public final class AttrsCommand extends NodeOperation {
  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "NAME[=VALUE]",
      description = "An attribute to show or, with a value, to set.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--delete",
      paramLabel = "NAME",
      description = "Delete this attribute; may be given several times.")
  private List<String> deleted = new ArrayList<>();

  @Option(names = "--json", description = "Print texts as JSON, too.")
  private boolean json;

  @Option(names = "--dry-run", description = "Only say what would change.")
  private boolean dryRun;

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String adviceAfterInterrupt() {
    return "the attributes are the old or the new ones";
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    boolean sets = words.stream().anyMatch(word -> word.indexOf('=') >= 0);
    boolean gets = words.stream().anyMatch(word -> word.indexOf('=') < 0);
    if (gets && (sets || !deleted.isEmpty())) {
      throw new ParameterException(
          spec().commandLine(), "Attributes are either shown or changed; NAME=VALUE sets one");
    }
    if (words.stream().anyMatch(word -> word.isEmpty() || word.startsWith("="))) {
      throw new ParameterException(spec().commandLine(), "The name of an attribute is empty");
    }
    return sets || !deleted.isEmpty()
        ? locationInHierarchy().in(options(), place -> change(place, console))
        : location().in(options(), place -> show(place, console));
  }

  private Mono<Void> show(NodePlace place, CommandConsole console) {
    return withWarnings(place.inspect())
        .doOnNext(
            node -> {
              boolean isJson = !node.metadata().document().members().isEmpty();
              if (!isJson && node instanceof UnreadableNode unreadable) {
                throw unreadable.error();
              }
              JsonObject all = node.attributes();
              if (words.isEmpty()) {
                console.out().println(Printable.lines(all.toPrettyString()));
              }
              words.forEach(name -> console.out().println(text(required(all, name))));
            })
        .then();
  }

  private String text(JsonValue value) {
    boolean isText = value instanceof JsonString && !json;
    return isText
        ? Printable.of(((JsonString) value).value())
        : Printable.lines(value.toPrettyString());
  }

  private static JsonValue required(JsonObject all, String name) {
    JsonValue value = all.get(name);
    if (value == null) {
      throw new CommandFailure(
          "no attribute "
              + name
              + (all.members().isEmpty()
                  ? ": there are none"
                  : "; there are " + String.join(", ", all.members().keySet())));
    }
    return value;
  }

  private Mono<Void> change(NodePlace place, CommandConsole console) {
    place.checkWritable();
    if (dryRun) {
      return withWarnings(place.open()).flatMap(node -> forecast(place, node, console));
    }
    return consolidatedGroupsAbove(place)
        .flatMap(
            groups ->
                withWarnings(place.open())
                    .flatMap(node -> node.updateAttributes(this::changed))
                    .publishOn(console.thread())
                    .doOnNext(node -> report(node, groups, console)))
        .then();
  }

  private Mono<Void> forecast(NodePlace place, ZarrNode node, CommandConsole console) {
    Store store = place.hierarchy().store();
    int left = changed(node.attributes()).members().size();
    Mono<Void> said =
        Mono.<Void>fromRunnable(
                () ->
                    console
                        .out()
                        .println(
                            "Would set "
                                + Quantities.plural(words.size(), "attribute")
                                + ", delete "
                                + deleted.size()
                                + "; there would be "
                                + left
                                + "."))
            .subscribeOn(console.thread());
    return CommitForecast.isOf(store)
        ? said.then(Mono.defer(() -> node.updateAttributes(this::changed)))
            .then(CommitForecast.print(store, Map.of(), console))
        : said;
  }

  private JsonObject changed(JsonObject all) {
    JsonObject result = all;
    for (String name : deleted) {
      required(result, name);
      result = result.without(name);
    }
    for (String word : words) {
      int equals = word.indexOf('=');
      result = result.with(word.substring(0, equals), JsonWord.of(word.substring(equals + 1)));
    }
    return result;
  }

  private void report(ZarrNode node, List<String> outdated, CommandConsole console) {
    console.note(
        "Set "
            + Quantities.plural(words.size(), "attribute")
            + ", deleted "
            + deleted.size()
            + "; there are "
            + node.attributes().members().size()
            + ".");
    reportRemoved(outdated, console);
  }
}
