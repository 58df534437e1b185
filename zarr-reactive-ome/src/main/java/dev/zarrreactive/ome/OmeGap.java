package dev.zarrreactive.ome;

import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.error.NodeNotFoundException;
import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.metadata.NodePath;
import java.util.List;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A level, an image or a well that attributes name and that cannot be opened, because the store
 * lacks it or its metadata break a rule. An image is read, and a plate drawn, without it.
 *
 * @param path the path of its node in the store
 * @param error the error of opening it, which names the node
 */
public record OmeGap(NodePath path, ZarrException error) {
  /** The nodes that are looked for at the same time. */
  private static final int CONCURRENCY = 16;

  /**
   * Returns a function for {@code onErrorResume}: errors of a node that is missing or broken become
   * a value, all others, such as those of a network, stay.
   */
  static <T> Function<Throwable, Mono<T>> resume(NodePath path, Function<OmeGap, Mono<T>> resumed) {
    return error ->
        error instanceof ZarrException found && isOfNode(found)
            ? resumed.apply(new OmeGap(nodeOf(found, path), found))
            : Mono.error(error);
  }

  private static boolean isOfNode(ZarrException error) {
    return error instanceof NodeNotFoundException
        || error instanceof MetadataException
        || error instanceof UnknownExtensionException
        || error instanceof UnsupportedFeatureException;
  }

  private static NodePath nodeOf(ZarrException error, NodePath otherwise) {
    String named = error.location().nodePath();
    NodePath node = named == null ? otherwise : NodePath.of(named);
    return otherwise.contains(node) ? node : otherwise;
  }

  /**
   * Looks for the levels, images or wells that the attributes of a group name, each with one
   * request or a few, and emits those that cannot be opened, in the order of the attributes. Images
   * are opened without their levels. Attributes with a problem that {@linkplain
   * OmeProblem#stopsReading stops reading} have none.
   */
  public static Flux<OmeGap> in(ZarrGroup group) {
    return Flux.defer(
        () -> {
          OmeMetadata metadata = OmeMetadata.of(group);
          if (metadata.problems().stream().anyMatch(OmeProblem::stopsReading)) {
            return Flux.empty();
          }
          Flux<String> levels =
              Flux.fromIterable(metadata.multiscales())
                  .flatMapIterable(OmeMultiscale::datasets)
                  .map(OmeMultiscale.Dataset::path)
                  .distinct();
          Flux<String> groups =
              Flux.concat(
                  List.of(
                      Flux.fromIterable(metadata.fields()).map(OmeMetadata.Field::path),
                      Flux.fromStream(
                          metadata.plate().stream()
                              .flatMap(plate -> plate.wells().stream())
                              .map(OmePlateLayout.Well::path)),
                      series(group, metadata)));
          return Flux.concat(
              List.of(
                  gaps(group, levels, group::openArray), gaps(group, groups, group::openGroup)));
        });
  }

  private static Flux<String> series(ZarrGroup group, OmeMetadata metadata) {
    return metadata.isBioformats2raw() && metadata.plate().isEmpty()
        ? OmeSeries.of(group)
            .map(OmeSeries::paths)
            .onErrorResume(resume(group.path(), gap -> Mono.empty())) // told when it is opened
            .flatMapIterable(paths -> paths)
        : Flux.empty();
  }

  private static Flux<OmeGap> gaps(
      ZarrGroup group, Flux<String> paths, Function<String, Mono<?>> opening) {
    return Concurrently.mapInOrder(
        paths,
        CONCURRENCY,
        path ->
            opening
                .apply(path)
                .flatMap(found -> Mono.<OmeGap>empty())
                .onErrorResume(resume(group.path().resolve(path), Mono::just)));
  }

  /** Returns one line: the path and the error. */
  @Override
  public String toString() {
    return path + ": " + error.statement();
  }
}
