package dev.zarrreactive.cli.location;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.cli.console.CommandFailure;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.internal.hierarchy.ForeignContent.ForeignDirectory;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.net.URI;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The location of a node: its directory, which is the root of a store, or a zip archive and a path
 * in it. A node of the 2022 draft has no directory of its own. Its location is the directory of the
 * hierarchy with the node's path appended.
 */
public final class NodeLocation {
  private final String scheme;

  /** The format that a pipeline names; null for none. */
  private final @Nullable Integer format;

  private final Mono<Opened> opened;
  private final UnaryOperator<Store> dressed;
  private final Consumer<String> told;
  private final Function<String, Mono<Void>> noted;

  /** Opens something else where no node is found, for example an archive with any name. */
  private final Function<Missing, Mono<Opened>> otherwise;

  /**
   * A place where no node was found.
   *
   * @param path the path of the node that is missing
   * @param foreign emits what other programs have left there, and asks the store once; empty for
   *     nothing that is known
   */
  record Missing(
      Opened place, NodeNotFoundException error, NodePath path, Mono<ForeignDirectory> foreign) {
    static Missing of(Opened place, NodeNotFoundException error) {
      String missing = error.location().nodePath(); // the error may be about another node
      NodePath path = NodePath.of(missing == null ? place.node() : missing);
      return new Missing(
          place, error, path, ForeignContent.inDirectory(place.store(), path).cache());
    }
  }

  /**
   * An open store.
   *
   * @param node the node's path in it
   * @param note what the user should know of the choice of the store; null for nothing
   */
  record Opened(Store store, String node, @Nullable String note) {
    Opened(Store store, String node) {
      this(store, node, null);
    }

    /** The store that a pipeline opens, which the user has not written himself. */
    static Mono<Opened> by(Pipeline pipeline, String node, StoreOptions options) {
      return pipeline
          .open(options)
          .map(opened -> new Opened(opened.store(), node, "opened as |" + pipeline.last()));
    }
  }

  private NodeLocation(
      String scheme,
      @Nullable Integer format,
      Mono<Opened> opened,
      UnaryOperator<Store> dressed,
      Consumer<String> told,
      Function<String, Mono<Void>> noted,
      Function<Missing, Mono<Opened>> otherwise) {
    this.scheme = scheme;
    this.format = format;
    this.opened = opened;
    this.dressed = dressed;
    this.told = told;
    this.noted = noted;
    this.otherwise = otherwise;
  }

  private NodeLocation(String scheme, Mono<Opened> opened) {
    this(
        scheme,
        null,
        opened,
        UnaryOperator.identity(),
        note -> {},
        note -> Mono.empty(),
        missing -> Mono.empty());
  }

  /**
   * Reads a location from the command line.
   *
   * @param drafts the drafts that are accepted
   * @param options the options of a store at a URL
   * @throws CommandFailure for a path that is neither a directory nor a zip archive
   * @throws IllegalArgumentException for text that is neither a path nor a URI
   */
  public static NodeLocation of(String text, Drafts drafts, StoreOptions options) {
    String scheme = LocationText.scheme(text);
    if (Pipeline.isOne(text)) {
      return ofPipeline(scheme, LocationText.pipeline(text), options);
    }
    if (LocationText.isLocal(text)) {
      return new NodeLocation(
          scheme,
          null,
          LocalLocation.of(text, drafts, options),
          UnaryOperator.identity(),
          note -> {},
          note -> Mono.empty(),
          missing -> directory(missing, text, options));
    }
    URI url = LocationText.url(text);
    return new NodeLocation(
        scheme,
        null,
        RemoteLocation.of(url, drafts, options),
        UnaryOperator.identity(),
        note -> {},
        note -> Mono.empty(),
        missing ->
            RemoteLocation.findInstead(url, options, missing.error())
                .switchIfEmpty(Mono.defer(() -> directory(missing, url.toString(), options))));
  }

  private static NodeLocation ofPipeline(String scheme, Pipeline pipeline, StoreOptions options) {
    return new NodeLocation(
        scheme,
        pipeline.format(),
        pipeline.open(options).map(opened -> new Opened(opened.store(), opened.path())),
        UnaryOperator.identity(),
        note -> {},
        note -> Mono.empty(),
        missing -> Mono.empty());
  }

  /** Opens a directory that is no node, but that an adapter knows; empty for any other. */
  private static Mono<Opened> directory(Missing missing, String location, StoreOptions options) {
    return (missing.place().node().isEmpty() && missing.path().isRoot()
            ? missing.foreign()
            : Mono.<ForeignDirectory>empty())
        .flatMap(found -> ForeignContent.pipeline(location, found))
        .flatMap(pipeline -> Opened.by(pipeline, "", options));
  }

  /**
   * Reads a location as {@link #of} does, and opens the store of the highest group above: a change
   * there removes the consolidated metadata of the groups above, which would hide it.
   */
  public static NodeLocation inHierarchy(String text, Drafts drafts, StoreOptions options) {
    if (Pipeline.isOne(text)) {
      return of(text, drafts, options);
    }
    return new NodeLocation(
        LocationText.scheme(text),
        LocationText.isLocal(text)
            ? LocalLocation.inHierarchy(text, drafts, options)
            : RemoteLocation.inHierarchy(LocationText.url(text), drafts, options));
  }

  /**
   * Reads a location as {@link #inHierarchy} does, for an erasure: a symbolic link of this machine
   * is removed, and what it leads to is not touched.
   */
  public static NodeLocation forErasure(String text, Drafts drafts, StoreOptions options) {
    return LocationText.isLocal(text)
        ? new NodeLocation(
            LocationText.scheme(text), LocalLocation.forErasure(text, drafts, options))
        : inHierarchy(text, drafts, options);
  }

  /** Returns this location with an observer of the requests to the store. */
  public NodeLocation observedBy(StoreObserver observer) {
    return new NodeLocation(
        scheme,
        format,
        opened,
        store -> Stores.observed(dressed.apply(store), observer),
        told,
        noted,
        otherwise);
  }

  /**
   * Returns this location, which tells what it does for the user.
   *
   * @param told what it has chosen
   * @param noted tells what it has committed
   */
  public NodeLocation telling(Consumer<String> told, Function<String, Mono<Void>> noted) {
    return new NodeLocation(scheme, format, opened, dressed, told, noted, otherwise);
  }

  /** Returns this location with documents as they are stored, whatever groups above know. */
  public NodeLocation asStored() {
    Mono<Opened> plain =
        opened.map(
            place ->
                place.store() instanceof ConsolidatedAbove known
                    ? new Opened(known.delegate(), place.node())
                    : place);
    return new NodeLocation(scheme, format, plain, dressed, told, noted, otherwise);
  }

  /** Opens the store for {@code work}, and closes it at the end of the work. */
  public <T> Mono<T> in(ZarrOptions given, Function<NodePlace, Mono<T>> work) {
    ZarrOptions options = format == null ? given : given.withZarrFormat(format);
    return in(
            opened,
            options,
            work,
            missing ->
                otherwise
                    .apply(missing)
                    .map(Optional::of)
                    .defaultIfEmpty(Optional.empty())
                    .flatMap(
                        other ->
                            other.isPresent()
                                ? in(
                                    Mono.just(other.get()),
                                    options,
                                    work,
                                    again -> failMissing(again, options))
                                : failMissing(missing, options)))
        .onErrorMap(AccessDeniedException.class, error -> Refusals.explained(scheme, error));
  }

  private <T> Mono<T> in(
      Mono<Opened> stores,
      ZarrOptions options,
      Function<NodePlace, Mono<T>> work,
      Function<Missing, Mono<T>> withoutNode) {
    return Mono.usingWhen(
        stores.doOnNext(place -> Optional.ofNullable(place.note()).ifPresent(told)),
        place ->
            work.apply(
                    new NodePlace(
                        Zarr.hierarchy(dressed.apply(place.store()), options), place.node()))
                .onErrorMap(StoreCapabilityException.class, error -> unlisted(place.store(), error))
                .onErrorResume(
                    NodeNotFoundException.class,
                    error -> withoutNode.apply(Missing.of(place, error))),
        place -> StagedChanges.keep(place.store(), noted),
        (place, error) -> StagedChanges.giveUp(place.store()),
        place -> StagedChanges.giveUp(place.store()));
  }

  private static <T> Mono<T> failMissing(Missing missing, ZarrOptions options) {
    return MissingNode.explain(missing, options.zarrFormat()).flatMap(Mono::error);
  }

  /**
   * Words the error of a store that cannot list: it is the only capability that reading may miss.
   */
  private static Throwable unlisted(Store store, StoreCapabilityException error) {
    if (store.capabilities().contains(StoreCapability.LIST)) {
      return error;
    }
    String unknown = "the nodes below the group are unknown: this store cannot list, and ";
    return error.getCause() instanceof MetadataException problem
        ? new CommandFailure(
            unknown
                + "its consolidated metadata are broken: "
                + problem.getMessage()
                + "; zarr consolidate mends them where the files are",
            error)
        : new CommandFailure(
            unknown
                + "the group lacks consolidated metadata (zarr consolidate writes them where the"
                + " files are); name a group above that has them, or an array",
            error);
  }
}
