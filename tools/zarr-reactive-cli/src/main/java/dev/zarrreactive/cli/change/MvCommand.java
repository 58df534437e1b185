package dev.zarrreactive.cli.change;

import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.CommitOption;
import dev.zarrreactive.metadata.NodePath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr mv}. */
@Command(
    name = "mv",
    headerHeading =
        "Examples: zarr mv earth.zarr/earth/relief elevation%n"
            + "          zarr mv earth.zarr/earth/lat latitude --dimension%n",
    description = {
      "Moves an array, or a group with everything below it, inside its hierarchy.",
      "Groups that are missing above its new place are created."
    })
public final class MvCommand extends NodeOperation {
  @Parameters(
      index = "1",
      paramLabel = "TO",
      description =
          "A new name, a path from the hierarchy's root, as /earth/height, or one written as PATH.")
  private String to;

  @Option(
      names = "--dimension",
      description = "Rename the dimension PATH in all arrays of its group, and its coordinate.")
  private boolean dimension;

  @Option(names = "--dry-run", description = "Only say what would be moved.")
  private boolean dryRun;

  @Mixin private final CommitOption commit = new CommitOption();

  @Override
  protected String adviceAfterInterrupt() {
    return "the array or group is in its old place, in its new one or in both";
  }

  @Override
  protected CommitOption commit() {
    return commit;
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    return dimension
        ? groupInHierarchy().in(options(), place -> rename(place, console))
        : locationInHierarchy().in(options(), place -> move(place, console));
  }

  private Mono<Void> rename(NodePlace place, CommandConsole console) {
    place.checkWritable();
    NodePath group = NodePath.of(place.node());
    NodePath from = group.resolve(LocationText.name(path()));
    NodePath target = target(from);
    if (target.isRoot() || !target.parent().equals(group)) {
      throw new CommandFailure("a dimension stays in its group; TO is another name, not " + to);
    }
    return Mono.zip(
            RenamedDimension.of(place, group, from.name(), target.name()),
            consolidatedPathsAbove(new NodePlace(place.hierarchy(), from.value().substring(1))))
        .flatMap(
            found ->
                dryRun
                    ? Mono.<Void>fromRunnable(
                            () ->
                                console
                                    .out()
                                    .println(
                                        Printable.of(
                                            "Would rename " + found.getT1().words() + ".")))
                        .subscribeOn(console.thread())
                    : found
                        .getT1()
                        .run()
                        .then(consolidate(place, found.getT2()))
                        .then(
                            Mono.<Void>fromRunnable(
                                    () ->
                                        console.note(
                                            Printable.of("Renamed " + found.getT1().words() + ".")))
                                .subscribeOn(console.thread())));
  }

  private Mono<Void> move(NodePlace place, CommandConsole console) {
    place.checkWritable();
    NodePath from = NodePath.of(place.node());
    if (from.isRoot()) {
      throw new CommandFailure("this is the root of a hierarchy, which is moved as a directory");
    }
    NodePath target = target(from);
    if (dryRun) {
      return forecast(place, from, target, console);
    }
    return consolidatedGroupsAbove(place)
        .flatMap(
            groups ->
                place
                    .hierarchy()
                    .move(from.value(), target.value())
                    .then(
                        Mono.<Void>fromRunnable(
                                () -> {
                                  console.note(
                                      Printable.of("Moved " + from + " to " + target + "."));
                                  reportRemoved(groups, console);
                                })
                            .subscribeOn(console.thread())));
  }

  /** A target may begin as the user wrote the place of the hierarchy, a path of files or a URL. */
  private NodePath target(NodePath from) {
    String end = from.value();
    String root = path().endsWith(end) ? path().substring(0, path().length() - end.length()) : "";
    if (!root.isEmpty() && to.startsWith(root + "/")) {
      return NodePath.of(to.substring(root.length()));
    }
    if (to.startsWith("/")) {
      return NodePath.of(to);
    }
    if (to.contains("/")) {
      throw new CommandFailure(
          to
              + " is neither a name nor a path from the hierarchy's root, which begins with /;"
              + " such a path may also begin with the place of the hierarchy, as in "
              + path());
    }
    return from.parent().resolve(to);
  }

  private Mono<Void> forecast(
      NodePlace place, NodePath from, NodePath target, CommandConsole console) {
    if (from.contains(target)) {
      throw new CommandFailure("a node cannot be moved to itself or below itself");
    }
    return withWarnings(place.open())
        .then(place.hierarchy().exists(target.value()))
        .publishOn(console.thread())
        .doOnNext(
            isTaken -> {
              if (isTaken) {
                throw new CommandFailure(target + ": a node exists there");
              }
              console.out().println(Printable.of("Would move " + from + " to " + target + "."));
            })
        .then();
  }
}
