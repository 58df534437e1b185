package dev.zarrreactive.cli.change;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.NearNames;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.cli.location.CommitForecast;
import dev.zarrreactive.cli.location.DirectoryOfStores;
import dev.zarrreactive.cli.location.LocalLocation;
import dev.zarrreactive.cli.location.LocalTree;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.cli.stream.ProgressBar;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.internal.partial.PartialNames;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code zarr rm}. */
@Command(
    name = "rm",
    headerHeading = "Example: zarr rm earth.zarr/earth/rgb --yes%n",
    description = {
      "Erases an array, or a group with everything below it.",
      "Also an unfinished copy, and files of other programs there.",
      "Removes symbolic links, and leaves what they lead to."
    })
public final class RmCommand extends NodeOperation {
  private static final List<String> DOCUMENTS =
      List.of(NodePath.DOCUMENT, NodePath.V2_ARRAY, NodePath.V2_GROUP);

  /** The name of a chunk beside its document. */
  private static final Pattern CHUNK = Pattern.compile("[0-9]+(\\.[0-9]+)*");

  @Option(
      names = {"-y", "--yes"},
      description = "Erase unasked; elsewhere than on a terminal, only so.")
  private boolean yes;

  @Option(
      names = "--all",
      description = "Also a directory that is no node, with all hierarchies in it.")
  private boolean all;

  @Option(names = "--dry-run", description = "Only say what would be erased.")
  private boolean dryRun;

  private volatile boolean isBegun;

  /**
   * The values and links at a place.
   *
   * @param links the symbolic links, which are removed
   * @param place where the files are, if a link above them leads there; else empty
   */
  private record Found(long count, long bytes, long links, String place) {
    static final Found NOTHING = new Found(0, 0, 0, "");

    Found plus(ListEntry.Key value) {
      return new Found(count + 1, bytes + Math.max(0, value.size()), links, place);
    }

    boolean isNothing() {
      return count == 0 && links == 0;
    }

    /** Returns the text with the verb of what happens to links, such as {@code is removed}. */
    String text(String removed) {
      String values =
          count == 0 && links > 0
              ? ""
              : Quantities.plural(count, "value") + ", " + Quantities.bytes(bytes);
      String linked =
          links == 0
              ? ""
              : (values.isEmpty() ? "" : ", and ") + Quantities.plural(links, "link") + removed;
      return values
          + linked
          + (place.isEmpty() ? "" : "; a link above leads to them, they are at " + place);
    }

    String future() {
      return text(
          links == 1 ? ", which is removed, not followed" : ", which are removed, not followed");
    }

    String past() {
      return text(links == 1 ? ", which was not followed" : ", which were not followed");
    }
  }

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String adviceAfterInterrupt() {
    return isBegun
        ? "a part is erased; the same command with --all erases the rest"
        : "nothing was erased";
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return locationForErasure().in(options(), place -> erase(place, console));
  }

  private Mono<Void> erase(NodePlace place, CommandConsole console) {
    place.checkWritable();
    return find(place, console)
        .flatMap(
            found -> {
              if (found.isNothing()) {
                throw new CommandFailure("nothing is stored here");
              }
              if (dryRun || !(yes || console.terminal().in())) {
                return say("Would erase " + found.future() + ".", console)
                    .then(Mono.defer(() -> forecast(place, console)));
              }
              return (yes ? Mono.just(true) : ask(found, console))
                  .flatMap(
                      isAgreed ->
                          isAgreed
                              ? consolidatedGroupsAbove(place)
                                  .flatMap(groups -> erase(place, found, groups, console))
                              : Mono.error(new CommandFailure("nothing is erased")));
            });
  }

  /** Says which commit the erasure would be, where it would be one. */
  private static Mono<Void> forecast(NodePlace place, CommandConsole console) {
    return CommitForecast.isOf(place.hierarchy().store())
        ? place
            .hierarchy()
            .eraseInSteps(place.node())
            .then(CommitForecast.print(place.hierarchy().store(), Map.of(), console))
        : Mono.empty();
  }

  /** Counts what the erasure removes. Files of this machine are counted without following links. */
  private Mono<Found> find(NodePlace place, CommandConsole console) {
    if (place.hierarchy().store() instanceof FileSystemStore files) {
      Path path = files.directory().resolve(place.node());
      return Mono.fromCallable(
              () -> {
                requireZarr(path);
                LocalTree tree = LocalTree.at(path);
                Path real = LocalLocation.behindLinks(files.directory(), path);
                return new Found(
                    tree.files(),
                    tree.bytes(),
                    tree.links(),
                    real == null ? "" : Printable.of(real.toString()));
              })
          .onErrorMap(
              FileSystemException.class,
              error -> new CommandFailure("cannot look through " + error.getMessage(), error))
          .subscribeOn(console.thread());
    }
    return refuseHierarchies(place)
        .thenMany(
            Flux.defer(
                () ->
                    HierarchyRequests.of(place.hierarchy())
                        .listValues(NodePath.of(place.node()).prefix())))
        .reduce(Found.NOTHING, Found::plus);
  }

  /** Refuses a place without a node that holds hierarchies, unless the user wants all of them. */
  private Mono<Void> refuseHierarchies(NodePlace place) {
    Store store = place.hierarchy().store();
    return all || !place.node().isEmpty()
        ? Mono.empty()
        : Flux.fromIterable(DOCUMENTS)
            .concatMapIterable(name -> List.of(name, name + ".partial"))
            .concatMap(name -> store.get(StoreKey.of(name)), 0)
            .next()
            .hasElement()
            .filter(isNode -> !isNode)
            .flatMap(none -> DirectoryOfStores.names(store))
            .flatMap(names -> Mono.error(holding(names)));
  }

  private static CommandFailure holding(List<String> names) {
    return new CommandFailure(
        "this is no array or group, and holds "
            + NearNames.listed(names)
            + "; nothing is erased. Name one of them, or erase all with --all");
  }

  /**
   * Refuses a directory that is no node and lies in none, if it has files of others or, unless the
   * user wants all of them, hierarchies. Blocks.
   */
  private void requireZarr(Path path) throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (Path above = path.toAbsolutePath(); above != null; above = above.getParent()) {
      if (isNode(above)) {
        return;
      }
    }
    OutsideOfNodes outside = new OutsideOfNodes(path);
    Files.walkFileTree(path, outside);
    if (outside.file != null) {
      throw new CommandFailure(
          "this directory is no array or group, and has other files, such as "
              + Printable.of(outside.file)
              + "; nothing is erased");
    }
    if (!all && !outside.nodes.isEmpty()) {
      throw holding(outside.nodes.stream().map(Printable::of).sorted().toList());
    }
  }

  private static boolean isNode(Path directory) {
    return DOCUMENTS.stream()
        .anyMatch(
            name ->
                Files.exists(directory.resolve(name))
                    || Files.exists(directory.resolve(name + ".partial")));
  }

  /** The hierarchies below a directory, and a file that neither they nor chunks would have. */
  private static final class OutsideOfNodes extends SimpleFileVisitor<Path> {
    private final Path top;
    private final List<String> nodes = new ArrayList<>();
    private @Nullable String file;

    OutsideOfNodes(Path top) {
      this.top = top;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      if (!isNode(directory)) {
        return FileVisitResult.CONTINUE;
      }
      nodes.add(top.relativize(directory).toString());
      return FileVisitResult.SKIP_SUBTREE;
    }

    /** Passes what an erasure that was interrupted has left, and links, which are not followed. */
    @Override
    public FileVisitResult visitFile(Path found, BasicFileAttributes attributes) {
      String name = String.valueOf(found.getFileName());
      if (!attributes.isRegularFile()
          || name.startsWith(".z")
          || PartialNames.isHidden(name)
          || CHUNK.matcher(name).matches()) {
        return FileVisitResult.CONTINUE;
      }
      file = top.relativize(found).toString();
      return FileVisitResult.TERMINATE;
    }
  }

  /** Asks the user, and reads a line of standard input. */
  private Mono<Boolean> ask(Found found, CommandConsole console) {
    return Mono.fromCallable(
            () -> {
              console
                  .err()
                  .print(
                      Printable.of(
                          "Erase "
                              + found.future()
                              + (found.links() > 0 ? ", of " : " of ")
                              + subject()));
              console.err().print("? [y/N] ");
              console.err().flush();
              Charset charset = console.terminal().charset();
              String line =
                  new BufferedReader(new InputStreamReader(console.in(), charset)).readLine();
              String answer = line == null ? "" : line.strip().toLowerCase(Locale.ROOT);
              return answer.equals("y") || answer.equals("yes");
            })
        .subscribeOn(console.thread());
  }

  private Mono<Void> say(String sentence, CommandConsole console) {
    return Mono.<Void>fromRunnable(
            () -> {
              console.out().println(sentence);
              if (!dryRun) {
                throw new CommandFailure("only --yes erases");
              }
            })
        .subscribeOn(console.thread());
  }

  private Mono<Void> erase(
      NodePlace place, Found found, List<String> groups, CommandConsole console) {
    ProgressBar bar = new ProgressBar(console);
    isBegun = true;
    return place
        .hierarchy()
        .eraseInSteps(place.node())
        .publishOn(console.thread())
        .doOnNext(
            erased ->
                bar.draw(
                    Math.min(1, (double) erased / Math.max(1, found.count())),
                    Quantities.plural(erased, "value") + " erased"))
        .doFinally(signal -> bar.clear())
        .then(
            Mono.fromRunnable(
                () -> {
                  console.note("Erased " + found.past() + ".");
                  reportRemoved(groups, console);
                }));
  }
}
