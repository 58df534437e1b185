package dev.zarrreactive.kerchunk;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.virtual.Reference;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import dev.zarrreactive.virtual.VirtualStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The store of one set of references. */
final class KerchunkStore extends VirtualStore {
  private final String name;
  private final References references;
  private final KerchunkOptions options;

  /** The prefix that the references are in, without a slash at its end. */
  private final String directory;

  KerchunkStore(
      String name,
      References references,
      String directory,
      VirtualContainers containers,
      KerchunkOptions options) {
    super(containers);
    this.name = name;
    this.references = references;
    this.directory = directory;
    this.options = options;
  }

  @Override
  protected Mono<Reference> reference(StoreKey key) {
    return references.find(key).map(found -> reference(key, found));
  }

  /** Leaves out what is wrong: the read of its key tells the error, and the others are read. */
  @Override
  protected Mono<List<Optional<Reference>>> references(List<StoreKey> keys) {
    return references
        .find(keys)
        .map(
            found -> {
              List<Optional<Reference>> all = new ArrayList<>(found.size());
              for (int i = 0; i < found.size(); i++) {
                StoreKey key = keys.get(i);
                all.add(found.get(i).flatMap(each -> right(key, each)));
              }
              return all;
            });
  }

  private Optional<Reference> right(StoreKey key, KerchunkReference found) {
    try {
      return Optional.of(reference(key, found));
    } catch (StoreException e) {
      return Optional.empty();
    }
  }

  private Reference reference(StoreKey key, KerchunkReference found) {
    if (found instanceof KerchunkReference.Inline inline) {
      return new Reference.Inline(inline.value());
    }
    KerchunkReference.Elsewhere elsewhere = (KerchunkReference.Elsewhere) found;
    String url;
    try {
      url = KerchunkUrl.absolute(elsewhere.url(), options, directory);
    } catch (IllegalArgumentException e) {
      throw new StoreException(String.valueOf(e.getMessage()), Location.ofKey(key.value()));
    }
    if (elsewhere.length() == 0) {
      return new Reference.Inline(Bytes.EMPTY);
    }
    return new Reference.Virtual(
        elsewhere.isWhole()
            ? VirtualLocation.whole(url)
            : VirtualLocation.of(url, elsewhere.offset(), elsewhere.length()));
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listValues(prefix).map(ListEntry.Key::key);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return references.values(prefix);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return references.entries(prefix);
  }

  @Override
  public String toString() {
    return name;
  }
}
