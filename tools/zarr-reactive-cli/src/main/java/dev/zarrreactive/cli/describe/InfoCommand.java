package dev.zarrreactive.cli.describe;

import dev.zarrreactive.UnreadableNode;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.cli.command.LocatedOperation;
import dev.zarrreactive.cli.command.NodeOperation;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.location.NodeLocation;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.Secrets;
import dev.zarrreactive.cli.stored.StoredSize;
import dev.zarrreactive.cli.support.SupportReport;
import dev.zarrreactive.icechunk.IcechunkOrigin;
import dev.zarrreactive.icechunk.IcechunkSnapshot;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.internal.context.HierarchyRequests;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.ome.OmeGap;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;

/** {@code zarr info}. */
@Command(
    name = "info",
    headerHeading = "Example: zarr info earth.zarr/earth/relief%n",
    description = "Describes an array or a group.")
public final class InfoCommand extends LocatedOperation {
  /** The keys at which the count of stored chunks ends: a hundred requests of S3. */
  private static final long MOST_KEYS = 100_000;

  private static final Duration LONGEST = Duration.ofSeconds(3);

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "PATH",
      description = NodeOperation.PATH_TEXT)
  private @Nullable String path;

  @Option(names = "--json", description = "Print the metadata document instead.")
  private boolean json;

  @Option(
      names = "--support",
      description = "Print what a report of a fault needs; PATH is optional then.")
  private boolean support;

  @Override
  protected String path() {
    if (path == null) {
      throw new ParameterException(
          spec().commandLine(),
          "Missing required parameter: 'PATH'; only info --support needs none");
    }
    return path;
  }

  @Override
  protected String subject() {
    return path == null ? "" : super.subject();
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (support) {
      return report(console);
    }
    NodeLocation location = json ? location().asStored() : location();
    return location.in(options(), place -> show(place, console));
  }

  /** Prints a report in any case: a node that cannot be looked at is a line of it. */
  private Mono<Void> report(CommandConsole console) {
    Secrets secrets = command().secrets();
    Mono<String> program =
        SupportReport.ofProgram(
            spec(), command().console().terminal(), command().environment(), secrets);
    Mono<String> node =
        path == null
            ? Mono.just("")
            : Mono.defer(
                    () ->
                        location()
                            .asStored()
                            .in(
                                options(),
                                place -> SupportReport.ofNode(subject(), place, secrets)))
                .onErrorResume(
                    error -> !(error instanceof ParameterException),
                    error -> Mono.just(SupportReport.ofFailure(subject(), error, secrets)));
    return program
        .zipWith(node)
        .publishOn(console.thread())
        .doOnNext(both -> console.out().print(both.getT1() + both.getT2()))
        .then();
  }

  private Mono<Void> show(NodePlace place, CommandConsole console) {
    return withWarnings(place.inspect())
        .flatMap(
            node ->
                (json ? Mono.just(document(node)) : description(place, node))
                    .publishOn(console.thread())
                    .doOnNext(console.out()::print)
                    .then(Mono.defer(() -> check(node))));
  }

  /** Tells of the parts of an image or a plate that are missing; fails for an unreadable node. */
  private Mono<Void> check(ZarrNode node) {
    if (node instanceof UnreadableNode unreadable) {
      return failure(unreadable);
    }
    return node instanceof ZarrGroup group && !json
        ? OmeGap.in(group)
            .collectList()
            .publishOn(command().console().thread())
            .doOnNext(
                gaps -> {
                  warn(group.path(), gaps);
                  printWarnings();
                })
            .then()
        : Mono.empty();
  }

  /** Returns the failure for a node that was described and cannot be read. */
  private static Mono<Void> failure(UnreadableNode node) {
    return Mono.error(node.error());
  }

  private static String document(ZarrNode node) {
    JsonObject document = node.metadata().document();
    return document.members().isEmpty() ? "" : document.toPrettyString() + "\n";
  }

  private Mono<String> description(NodePlace place, ZarrNode node) {
    boolean colour = colours().isOn();
    List<String> version =
        IcechunkOrigin.of(place.hierarchy().store()).map(InfoCommand::words).stream().toList();
    if (node instanceof ZarrArray array) {
      StoredSize.Limit limit =
          new StoredSize.Limit(MOST_KEYS, LONGEST, command().console().thread());
      return ArrayDescription.of(
              subject(), array, HierarchyRequests.of(place.hierarchy()), limit, version)
          .map(description -> description.text(colour));
    }
    return node instanceof ZarrGroup group
        ? GroupDescription.of(subject(), group, version)
            .map(description -> description.text(colour))
        : Mono.just(UnreadableDescription.text(subject(), node.metadata(), colour));
  }

  /** Returns the version of a repository that is shown, such as a branch, and its snapshot. */
  private static String words(IcechunkOrigin origin) {
    IcechunkSnapshot snapshot = origin.snapshot();
    String name =
        origin.version() instanceof IcechunkVersion.Id ? "" : origin.version().toString() + ", ";
    return name
        + "snapshot "
        + snapshot.id()
        + " of "
        + snapshot.time().truncatedTo(ChronoUnit.SECONDS)
        + ": "
        + snapshot.message();
  }
}
