package dev.zarrreactive.cli.stored;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.cli.location.NodePlace;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreCapability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store over HTTP with the listings of its server, whose pages list the files of directories.
 * Where a page does not, listings fail as those of a store that cannot list.
 */
final class WebListing extends DelegatingStore {
  /** The largest page, of some hundred thousand files. */
  private static final long MOST_BYTES = 64 << 20;

  /** The directories that are listed at a time, and the sizes that are asked for. */
  private static final int PAGES = 4;

  private static final int SIZES = 16;

  /** The deepest directory; a deeper one is taken for a cycle of links. */
  private static final int MOST_LEVELS = 64;

  private final HttpStore http;

  private WebListing(Store store, HttpStore http) {
    super(store);
    this.http = http;
  }

  /** Returns the place with listings of web pages, if its store cannot list by itself. */
  static NodePlace of(NodePlace place) {
    Store store = place.hierarchy().store();
    if (store.capabilities().contains(StoreCapability.LIST)) {
      return place;
    }
    Store below = store;
    while (below instanceof DelegatingStore decorator) {
      below = decorator.delegate();
    }
    return below instanceof HttpStore http
        ? new NodePlace(
            Zarr.hierarchy(new WebListing(store, http), place.hierarchy().options()), place.node())
        : place;
  }

  /** Emits a listed value with its size: where the page does not tell it, the server is asked. */
  static Flux<ListEntry.Key> measured(Store store, Flux<ListEntry.Key> values) {
    return store instanceof WebListing listing
        ? Concurrently.mapInOrder(values, SIZES, listing::measured)
        : values;
  }

  private Mono<ListEntry.Key> measured(ListEntry.Key value) {
    return value.isSizeKnown()
        ? Mono.just(value)
        : http.size(value.key())
            .map(size -> new ListEntry.Key(value.key(), size))
            .defaultIfEmpty(value);
  }

  @Override
  public Set<StoreCapability> capabilities() {
    Set<StoreCapability> all = EnumSet.copyOf(super.capabilities());
    all.add(StoreCapability.LIST);
    return Collections.unmodifiableSet(all);
  }

  @Override
  public Flux<StoreKey> list() {
    return listPrefix(StorePrefix.ROOT);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listValues(prefix).map(ListEntry.Key::key);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return below(prefix, 0);
  }

  private Flux<ListEntry.Key> below(StorePrefix prefix, int level) {
    if (level > MOST_LEVELS) {
      return Flux.error(
          new StoreException(
              "the directory is more than " + MOST_LEVELS + " levels deep, or a cycle of links",
              Location.ofKey(prefix.value())));
    }
    return listDir(prefix)
        .collectList()
        .flatMapMany(
            entries -> {
              List<ListEntry.Key> values = new ArrayList<>();
              List<StorePrefix> directories = new ArrayList<>();
              for (ListEntry entry : entries) {
                if (entry instanceof ListEntry.Key value) {
                  values.add(value);
                } else {
                  directories.add(((ListEntry.Prefix) entry).prefix());
                }
              }
              return Flux.concat(
                  List.of(
                      Flux.fromIterable(values),
                      Concurrently.mapInOrder(
                          Flux.fromIterable(directories),
                          PAGES,
                          directory -> below(directory, level + 1))));
            });
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return http.page(prefix, MOST_BYTES)
        .onErrorMap(
            AccessDeniedException.class,
            error -> unlisted(prefix, "; the server denies access to it", error))
        .switchIfEmpty(Mono.error(() -> unlisted(prefix, "", null)))
        .flatMapIterable(
            page ->
                IndexPage.entries(prefix, page)
                    .orElseThrow(() -> unlisted(prefix, ", and sends another page", null)));
  }

  private StoreCapabilityException unlisted(
      StorePrefix prefix, String reason, @Nullable Throwable cause) {
    return new StoreCapabilityException(
        "the server lists no files" + (prefix.value().isEmpty() ? "" : " of " + prefix) + reason,
        Location.ofKey(prefix.value()),
        cause);
  }
}
