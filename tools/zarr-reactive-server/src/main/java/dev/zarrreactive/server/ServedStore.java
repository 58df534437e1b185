package dev.zarrreactive.server;

import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.NotAValueException;
import dev.zarrreactive.store.Store;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The resources of one store: its values, its directories, and its arrays. */
final class ServedStore implements ServedResources {
  private final StoreValues values;
  private final DirectoryListing listing;
  private final @Nullable SynthesizedMetadata synthesized;
  private final @Nullable ArrayApi api;

  /**
   * Creates the resources. Looks for codecs in files, so it may block.
   *
   * @param store with the cache of the server
   * @param api the resources of arrays; null where values alone are served
   */
  ServedStore(Store store, boolean synthesizes, @Nullable ArrayApi api, ServerLimits limits) {
    this.values = new StoreValues(new ValueReads(store, limits.readBytes()));
    this.listing = new DirectoryListing(store, api != null);
    this.synthesized = synthesizes ? new SynthesizedMetadata(store, limits) : null;
    this.api = api;
  }

  @Override
  public Mono<Reply> get(
      RequestPath path, HttpMethod method, HttpHeaders headers, ResponseMemory memory) {
    Mono<Reply> resource = api == null ? null : api.get(path, method, headers);
    if (resource != null) {
      return resource;
    }
    if (path.isDirectory()) {
      return Mono.fromSupplier(() -> listing.get(path, headers));
    }
    StoreKey key = path.key();
    Mono<Reply> stored =
        values
            .get(key, method, headers, memory)
            .onErrorResume(NotAValueException.class, no -> Mono.empty());
    SynthesizedMetadata made = synthesized;
    return (made == null
            ? stored
            : made.at(key, path.root())
                .map(
                    document ->
                        StoreValues.of(key, method, headers, document.bytes(), document.tag()))
                .switchIfEmpty(stored))
        .switchIfEmpty(Mono.error(Problem.MissingException::new));
  }
}
