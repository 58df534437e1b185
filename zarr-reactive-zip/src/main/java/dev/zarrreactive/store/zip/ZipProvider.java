package dev.zarrreactive.store.zip;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.ArchiveProvider;
import dev.zarrreactive.store.Store;
import java.util.Set;
import reactor.core.publisher.Mono;

/** Opens zip archives; {@code .ozx} is the suffix of OME-Zarr in one (RFC-9 of OME-NGFF). */
@Spi
public final class ZipProvider implements ArchiveProvider {
  /** Creates the provider; called by {@link java.util.ServiceLoader}. */
  public ZipProvider() {}

  @Override
  public Set<String> suffixes() {
    return Set.of(".zip", ".ozx");
  }

  @Override
  public Mono<Store> open(Store store, StoreKey key) {
    return ZipStore.open(store, key).cast(Store.class);
  }
}
