package dev.zarrreactive.cli.stored;

import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.NodeGlobs;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.copying.PathGlobs;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr ls}. */
@Command(
    name = "ls",
    headerHeading = "Example: zarr ls s3://bucket/data --anonymous%n",
    description = "Lists a directory, archive or bucket, Zarr or not, with sizes.")
public final class LsCommand extends NodeOperation {
  /** The entries that are sorted at a time: a bucket may have any number. */
  private static final int SORTED = 10_000;

  private static final int SIZE_WIDTH = 11;

  @Option(
      names = {"-r", "--recursive"},
      description = "List everything below, and count it.")
  private boolean recursive;

  @Mixin private final NodeGlobs globs = new NodeGlobs();

  @Option(names = "--json", description = "Print each entry as a JSON object on a line.")
  private boolean json;

  /** The sums of a listing; used on the console's thread. */
  private static final class Total {
    private long entries;
    private long values;
    private long bytes;
    private boolean areSizesKnown = true;

    void add(ListEntry entry) {
      entries++;
      if (entry instanceof ListEntry.Key value) {
        values++;
        bytes += value.isSizeKnown() ? value.size() : 0;
        areSizesKnown &= value.isSizeKnown();
      }
    }

    @Override
    public String toString() {
      String count = Quantities.plural(values, "value");
      return areSizesKnown ? count + ", " + Quantities.bytes(bytes) : count;
    }
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return location().in(options(), place -> list(WebListing.of(place), console));
  }

  private Mono<Void> list(NodePlace place, CommandConsole console) {
    String node = place.node();
    StorePrefix prefix = node.isEmpty() ? StorePrefix.ROOT : StorePrefix.of(node + "/");
    Total total = new Total();
    PathGlobs choice = globs.choice();
    return entries(HierarchyRequests.of(place.hierarchy()), prefix)
        .onErrorMap(
            StoreCapabilityException.class,
            error ->
                new CommandFailure(
                    "this store cannot list; zarr tree shows what consolidated metadata name",
                    error))
        .filter(entry -> isChosen(entry, prefix, choice))
        .buffer(SORTED)
        .concatMapIterable(LsCommand::sorted)
        .publishOn(console.thread())
        .doOnNext(total::add)
        .doOnNext(
            entry -> console.out().println(json ? object(entry, prefix) : line(entry, prefix)))
        .then(Mono.fromRunnable(() -> end(place, total, console)));
  }

  private Flux<? extends ListEntry> entries(Store store, StorePrefix prefix) {
    return recursive ? store.listValues(prefix) : store.listDir(prefix);
  }

  private static List<ListEntry> sorted(List<? extends ListEntry> entries) {
    return entries.stream().<ListEntry>map(entry -> entry).sorted(BY_PATH).toList();
  }

  private static final Comparator<ListEntry> BY_PATH = Comparator.comparing(LsCommand::path);

  private static String path(ListEntry entry) {
    return entry instanceof ListEntry.Key value
        ? value.key().value()
        : ((ListEntry.Prefix) entry).prefix().value();
  }

  private static boolean isChosen(ListEntry entry, StorePrefix prefix, PathGlobs choice) {
    return choice.accepts(path(entry).substring(prefix.value().length()).replaceAll("/$", ""));
  }

  private static String object(ListEntry entry, StorePrefix prefix) {
    String name = path(entry).substring(prefix.value().length());
    JsonObject object = JsonObject.EMPTY.with("name", name);
    return entry instanceof ListEntry.Key value && value.isSizeKnown()
        ? object.with("bytes", value.size()).toString()
        : object.toString();
  }

  private static String line(ListEntry entry, StorePrefix prefix) {
    String size = "";
    if (entry instanceof ListEntry.Key value) {
      size = value.isSizeKnown() ? Quantities.bytes(value.size()) : "?";
    }
    String name = path(entry).substring(prefix.value().length());
    return " ".repeat(Math.max(0, SIZE_WIDTH - size.length())) + size + "  " + Printable.of(name);
  }

  private void end(NodePlace place, Total total, CommandConsole console) {
    boolean isRootHere = place.node().isEmpty() && LocationText.isLocal(subject());
    if (total.entries == 0 && !isRootHere && globs.choice().acceptsAll()) {
      throw new CommandFailure("nothing is here");
    }
    if (recursive) {
      console.remark(total.toString());
    }
  }
}
