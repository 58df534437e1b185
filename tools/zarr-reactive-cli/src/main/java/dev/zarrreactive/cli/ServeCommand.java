package dev.zarrreactive.cli;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.cli.command.Subcommand;
import dev.zarrreactive.cli.console.CommandConsole;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.cli.console.NearNames;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.demo.DemoHierarchy;
import dev.zarrreactive.cli.history.RepositoryVersions;
import dev.zarrreactive.cli.location.DirectoryOfStores;
import dev.zarrreactive.cli.location.LocationText;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.cli.options.LinkKeyOption;
import dev.zarrreactive.cli.options.TimeConverter;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.icechunk.IcechunkAdapter;
import dev.zarrreactive.icechunk.IcechunkOptions;
import dev.zarrreactive.icechunk.IcechunkVersion;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.server.RunningServer;
import dev.zarrreactive.server.ServerLimits;
import dev.zarrreactive.server.ZarrServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter.Segment;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.virtual.VirtualContainers;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;

/** {@code zarr serve}. */
@Command(
    name = "serve",
    headerHeading =
        "Examples: zarr serve earth.zarr --port 8080%n"
            + "          zarr serve data --host 0.0.0.0 --cors%n",
    description = {
      "Serves a hierarchy over HTTP, for reading alone, until Ctrl-C.",
      "Without PATH it serves the hierarchy of the demonstration."
    })
public final class ServeCommand extends Subcommand {
  private static final String ICECHUNK = "icechunk";

  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      description = "The directory, zip archive or URL to serve, or a path into one.")
  private @Nullable String path;

  private @Nullable LinkKeySource links;

  /** The hierarchies that are served from a directory which is none itself. */
  private volatile List<String> hierarchies = List.of();

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "The port; ${DEFAULT-VALUE} by default, 0 for one that is free.")
  private int port;

  @Option(
      names = "--host",
      paramLabel = "NAME",
      defaultValue = "127.0.0.1",
      description =
          "The address to listen at, ${DEFAULT-VALUE} by default; 0.0.0.0 lets other machines reach"
              + " it.")
  private String host;

  @Option(
      names = "--origin",
      paramLabel = "ORIGIN",
      description =
          "An origin whose pages may read, such as https://viewer.example; may be given several"
              + " times.")
  private String @Nullable [] origins;

  @Option(names = "--cors", description = "Pages of every origin may read, not its own alone.")
  private boolean allOrigins;

  @Option(names = "--follow-links", description = "Also serve what links lead to outside of PATH.")
  private boolean followsLinks;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      description = "The most connections, 768 by default.")
  private @Nullable Integer connections;

  @Option(
      names = "--head-timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "The time for the head of a request, 20s by default.")
  private @Nullable Duration headTimeout;

  @Option(
      names = "--idle-timeout",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "The time between two requests, 1m by default.")
  private @Nullable Duration idleTimeout;

  @Option(
      names = "--least-speed",
      paramLabel = "BYTES",
      description = "The least bytes per second of a client (2048).")
  private @Nullable Integer leastSpeed;

  @Option(names = "--sign", description = "Answer signed links alone, see zarr help sign.")
  private boolean signs;

  @Mixin private final LinkKeyOption keyFile = new LinkKeyOption();

  @Option(
      names = "--max-wait",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      description = "The longest wait of a response for memory (10s).")
  private @Nullable Duration maxWait;

  @Option(
      names = "--no-consolidate",
      description = "Serve metadata as stored, and consolidate none.")
  private boolean asStored;

  @Override
  protected String subject() {
    return path == null ? "" : LocationText.shown(path);
  }

  @Override
  protected String adviceAfterInterrupt() {
    return "";
  }

  @Override
  protected Mono<Void> execute(CommandConsole console) {
    if (port < 0 || port > 0xffff) {
      throw new ParameterException(spec().commandLine(), "--port is a number from 0 to 65535");
    }
    if (keyFile.isGiven() && !signs) {
      throw new ParameterException(spec().commandLine(), "--key-file is for --sign");
    }
    ServerLimits limits = limits();
    return signs
        ? keyFile
            .source(command(), spec())
            .flatMap(
                keys -> {
                  links = keys;
                  return served(limits, console);
                })
        : served(limits, console);
  }

  private Mono<Void> served(ServerLimits limits, CommandConsole console) {
    String served = path;
    if (served == null) {
      command().storeSettings(spec()).checkedFor();
      return DemoHierarchy.inMemory()
          .subscribeOn(console.thread())
          .flatMap(store -> serve(ZarrServer.of(store), false, limits, console));
    }
    StoreOptions given = command().storeSettings(spec()).checkedFor(served).of(served);
    Pipeline pipeline = Pipeline.isOne(served) ? LocationText.pipeline(served) : null;
    Segment last = pipeline == null ? null : pipeline.last();
    return pipeline != null && last != null && last.scheme().equals(ICECHUNK)
        ? repository(pipeline, last, given, limits, console)
        : location(served, given)
            .in(options(), place -> recognised(store(place), given, limits, console));
  }

  /** Serves the versions of the repository that a pipeline names. */
  private Mono<Void> repository(
      Pipeline pipeline,
      Segment segment,
      StoreOptions given,
      ServerLimits limits,
      CommandConsole console) {
    IcechunkVersion version = IcechunkAdapter.version(segment, StoreOptions.none());
    String body = segment.body();
    int slash = body.startsWith("//") ? body.indexOf('/', 2) : 0;
    String inside = slash < 0 ? "" : Segment.path(body.substring(slash));
    NodePath node = NodePath.of(inside).resolve(pipeline.node());
    return Mono.usingWhen(
        pipeline.withoutLast().open(options(given, false)).map(Pipeline::directoryOf),
        directory -> versions(directory, version, node, given, limits, console),
        Store::close);
  }

  /** Returns the options of a repository, or those of the store around it. */
  private static StoreOptions options(StoreOptions given, boolean ofRepository) {
    IcechunkAdapter adapter = new IcechunkAdapter();
    StoreOptions own = given;
    for (String name : given.names()) {
      own = adapter.takes(name) == ofRepository ? own : own.without(name);
    }
    return own;
  }

  /** Serves a store, or the versions of the repository that it turns out to be. */
  private Mono<Void> recognised(
      Store store, StoreOptions given, ServerLimits limits, CommandConsole console) {
    return ForeignContent.inDirectory(store, NodePath.ROOT)
        .map(found -> ICECHUNK.equals(found.adapter()))
        .defaultIfEmpty(false)
        .flatMap(
            isRepository -> {
              if (!isRepository) {
                return directory(store, limits, console);
              }
              warn("opened as |" + ICECHUNK + ":");
              return versions(store, IcechunkVersion.MAIN, NodePath.ROOT, given, limits, console);
            });
  }

  /** Serves a store, or all hierarchies of a directory that is none itself. */
  private Mono<Void> directory(Store store, ServerLimits limits, CommandConsole console) {
    return Zarr.hierarchy(store)
        .exists("")
        .filter(isNode -> !isNode)
        .flatMap(none -> DirectoryOfStores.names(store))
        .onErrorResume(ZarrException.class, e -> Mono.empty()) // the clients see it
        .defaultIfEmpty(List.of())
        .flatMap(
            names ->
                names.isEmpty()
                    ? serve(ZarrServer.of(store), false, limits, console)
                    : DirectoryOfStores.of(store)
                        .flatMap(
                            all -> {
                              hierarchies = names;
                              return serve(ZarrServer.of(all), false, limits, console);
                            }));
  }

  private Mono<Void> versions(
      Store directory,
      IcechunkVersion version,
      NodePath node,
      StoreOptions given,
      ServerLimits limits,
      CommandConsole console) {
    return Mono.usingWhen(
        Mono.fromSupplier(() -> VirtualContainers.of(options(given, true))),
        allowed ->
            RepositoryVersions.open(
                    directory, IcechunkOptions.defaults().withContainers(allowed), version, node)
                .flatMap(found -> serve(ZarrServer.of(found), true, limits, console)),
        VirtualContainers::close);
  }

  private ServerLimits limits() {
    ServerLimits limits = ServerLimits.defaults();
    try {
      limits = connections == null ? limits : limits.withConnections(connections);
      limits = headTimeout == null ? limits : limits.withHeadTimeout(headTimeout);
      limits = idleTimeout == null ? limits : limits.withIdleTimeout(idleTimeout);
      limits = maxWait == null ? limits : limits.withMaxWait(maxWait);
      return leastSpeed == null ? limits : limits.withLeastSpeed(leastSpeed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec().commandLine(),
          "--max-connections and the times are greater than 0, and --least-speed is 0 or more");
    }
  }

  private Store store(NodePlace place) {
    Store store = place.hierarchy().store();
    NodePath node = NodePath.of(place.node());
    if (store instanceof FileSystemStore files && !followsLinks) {
      return FileSystemStore.open(files.directory().resolve(place.node())).withoutLinksOut();
    }
    return node.isRoot() ? store : Stores.prefixed(store, node.prefix());
  }

  /**
   * Serves until the end of the command.
   *
   * @param hasVersions whether it serves the versions of a store
   */
  private Mono<Void> serve(
      ZarrServer of, boolean hasVersions, ServerLimits limits, CommandConsole console) {
    ZarrServer server =
        of.host(host)
            .port(port)
            .name(path == null ? "demo" : LocationText.title(path))
            .limits(limits)
            .consolidated(!asStored && hierarchies.isEmpty())
            .onFailure((failed, error) -> warn("/" + failed + ": " + error.getMessage()));
    if (links != null) {
      server.links(links);
    }
    if (allOrigins) {
      server.origins("*");
    } else if (origins != null) {
      server.origins(origins);
    }
    return Mono.usingWhen(
            server.start(),
            running -> announce(running, hasVersions, console).then(running.onClose()),
            RunningServer::close)
        .onErrorMap(ChannelBindException.class, ServeCommand::refused);
  }

  private Mono<Void> announce(RunningServer running, boolean hasVersions, CommandConsole console) {
    URI uri = running.uri();
    LinkKeySource keys = links;
    Mono<String> root =
        keys == null
            ? Mono.just(uri.toString())
            : keys.keys()
                .map(
                    now ->
                        uri
                            + now.sign(
                                "", LinkKeys.Access.READ, Instant.now().plus(Duration.ofHours(1))));
    return root.publishOn(console.thread())
        .doOnNext(
            open -> {
              String what = path == null ? "the demonstration's hierarchy" : subject();
              console.out().println("In a browser: " + open + "/api/");
              console.out().println("Serving " + what + " at " + uri + " until Ctrl-C");
              if (!hierarchies.isEmpty()) {
                console
                    .out()
                    .println(Printable.of("Its hierarchies: " + NearNames.listed(hierarchies)));
              }
              if (keys != null) {
                console.out().println("A link to all, for an hour: " + open);
              }
              if (hasVersions) {
                console.out().println("Its versions: " + open + "/__versions/");
              }
              if (allOrigins) {
                console.out().println("Pages of every origin may read it.");
              }
              console.out().flush();
            })
        .then();
  }

  private static Throwable refused(ChannelBindException error) {
    return new CommandFailure(
        "cannot listen at "
            + error.localHost()
            + ":"
            + error.localPort()
            + ", which another program may use; --port 0 takes a port that is free",
        error);
  }
}
