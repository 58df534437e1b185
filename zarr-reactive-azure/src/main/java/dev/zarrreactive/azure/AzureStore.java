package dev.zarrreactive.azure;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.objects.ObjectListing;
import dev.zarrreactive.internal.objects.ObjectWriter;
import dev.zarrreactive.internal.objects.UnfinishedUploads;
import dev.zarrreactive.internal.service.ServiceEraser;
import dev.zarrreactive.internal.service.ServiceRequests;
import dev.zarrreactive.internal.service.ServiceSettings;
import dev.zarrreactive.internal.service.ServiceValueRequests;
import dev.zarrreactive.internal.transfer.ValueReader;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.LeftoverStore;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store in a container of Azure Blob Storage, over its REST API.
 *
 * <p><b>Requests.</b> A value is one GET, a range one GET with {@code Range}. A range that counts
 * from the end is a HEAD first, for the service has none; so is an empty range, for its value must
 * exist. A write is one PUT, of a value larger than a part an upload in blocks, four at a time. A
 * listing requests a page of at most five thousand blobs when its subscriber demands one of them.
 * An erasure is one DELETE. {@link AzureStoreBuilder#connections} bounds the connections.
 *
 * <p><b>Versions.</b> The version of a value is the ETag of its blob. The server checks the
 * conditions of writes and erasures, of uploads in blocks, too.
 *
 * <p><b>Missing values.</b> A value is missing where the server answers 404 {@code BlobNotFound}. A
 * missing container is an error, and so is a private one that the service hides from requests
 * without a credential. 401 and 403 are {@link AccessDeniedException}, unless {@link
 * AzureStoreBuilder#forbiddenIsMissing} says otherwise.
 *
 * <p><b>Errors.</b> 408, 429, most of 5xx, resets, time-outs, stalls and bodies that were cut are
 * {@link TransientStoreException}, with the delay of {@code Retry-After}; {@code Stores.retrying}
 * adds attempts. A body that was cut is resumed first, from its last byte, if the value is still
 * the same. Another {@code Content-Range} than the requested one is a {@link StoreException}. A
 * condition that does not hold is {@link PreconditionFailedException}.
 *
 * <p><b>Threads.</b> Signals arrive on event loops of Netty: do no long work there; arrays decode
 * on threads of their own. Threads of the store that may block set up the client and look up
 * credentials.
 *
 * <p><b>Cancel</b> closes the connection. Blocks that were sent stay until the service removes them
 * after a week, or {@link #clean} does.
 */
public final class AzureStore extends AbstractStore implements LeftoverStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.allOf(StoreCapability.class));

  private final ServiceSettings settings;
  private final ValueReader values;
  private final ObjectListing listing;
  private final ObjectWriter writing;
  private final ServiceEraser erasing;
  private final UnfinishedUploads<UncommittedBlobs.Upload> unfinished;
  private final Mono<Void> closed;

  AzureStore(ServiceRequests requests, Mono<Void> closed) {
    this.settings = requests.settings();
    this.values =
        ValueReader.withoutSuffixes(new ServiceValueRequests(requests), settings.resumes());
    this.listing = new ObjectListing(settings.names(), new BlobListing(requests, settings));
    this.writing =
        new ObjectWriter(
            new BlobWrites(requests, settings),
            new ObjectWriter.Limits(settings.partSize(), settings.partSize(), true));
    this.erasing = new ServiceEraser(requests);
    this.unfinished =
        new UnfinishedUploads<>(settings.names(), new UncommittedBlobs(requests, settings));
    this.closed = closed;
  }

  /**
   * Returns the store of all of a container, with the default settings; see {@link #at}.
   *
   * @throws IllegalArgumentException for other text than the names of an account and a container
   */
  public static AzureStore open(String account, String container) {
    return at(account, container).open();
  }

  /**
   * Returns the settings of a store in {@code container}.
   *
   * @throws IllegalArgumentException for other text than the names of an account and a container
   */
  public static AzureStoreBuilder at(String account, String container) {
    return new AzureStoreBuilder(container).account(account);
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return values.read(key, null);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return values.read(key, range);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The version is the ETag of the blob.
   */
  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return values.read(key, range, condition);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A write that was cancelled, or that failed with a {@link TransientStoreException}, may have
   * stored the value. A conditional write leaves a mark in the metadata of the blob, {@code
   * zarrwrite}, by which it finds its own value after an answer that was lost: it fails so only
   * where the value is not stored yet, or the message says that the outcome is unknown.
   */
  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return writing.set(key, value, precondition);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A value of no more than one {@linkplain AzureStoreBuilder#partSize part} is one PUT, a
   * larger one an upload in blocks: four of them are sent at a time while a fifth one fills, 80 MiB
   * with the defaults. A request of the upload is repeated by {@code Stores.retrying}. The server
   * checks the condition at the end. Another writer of the same value that ends first takes the
   * blocks away: this write then fails, by its condition or with a {@link TransientStoreException}.
   */
  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return writing.set(key, pieces, precondition);
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return erasing.erase(key);
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return erasing.erase(key, version);
  }

  @Override
  public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    return erasing.erase(keys);
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return erasing.erase(listing.keys(prefix));
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listing.keys(prefix);
  }

  @Override
  public Flux<ListEntry.Key> listValues(StorePrefix prefix) {
    return listing.values(prefix);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return listing.entries(prefix);
  }

  /**
   * Lists the blobs below the prefix that have blocks, and no value: a writer that failed or was
   * killed leaves them. The age is that of the upload; of blocks of other programs it is that of
   * the blob, and they are not listed where the service does not tell it. Choose an age above that
   * of any upload, such as a day. It takes a request for each blob without a byte.
   */
  @Override
  public Flux<Leftover> leftovers(Duration age) {
    return unfinished.list(age);
  }

  /**
   * Discards the blocks that {@link #leftovers} lists, and emits the number of their blobs: an
   * empty list of blocks, on condition that there is no value, and an erasure of that version. The
   * service removes them after a week by itself.
   */
  @Override
  public Mono<Long> clean(Duration age) {
    return unfinished.remove(age);
  }

  /** Closes the connections, unless the application gave the client. */
  @Override
  public Mono<Void> close() {
    return closed;
  }

  /** The account, the container and the prefix. */
  @Override
  public String toString() {
    return "AzureStore[" + settings.names().url(StorePrefix.ROOT) + "]";
  }
}
