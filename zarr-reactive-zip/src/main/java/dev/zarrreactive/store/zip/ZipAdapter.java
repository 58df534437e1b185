package dev.zarrreactive.store.zip;

import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.StoreAdapter;
import dev.zarrreactive.store.StoreOptions;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Opens zip archives, in pipelines as {@code |zip:path}; {@code .ozx} is the suffix of OME-Zarr in
 * one (RFC-9 of OME-NGFF).
 */
@Spi
public final class ZipAdapter implements StoreAdapter {
  /** Creates the adapter; called by {@link java.util.ServiceLoader}. */
  public ZipAdapter() {}

  @Override
  public String scheme() {
    return "zip";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of(".zip", ".ozx");
  }

  @Override
  public Mono<Opened> open(Place place, Segment segment, StoreOptions options) {
    return place
        .file()
        .flatMap(file -> ZipStore.open(file.store(), file.key()))
        .map(archive -> new Opened(archive, segment.path()));
  }
}
