package dev.zarrreactive.gcs;

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
 * A store in a bucket of Google Cloud Storage, over its XML API.
 *
 * <p><b>Requests.</b> A value is one GET, a range one GET with {@code Range}. An empty range is a
 * HEAD, for its value must exist. A write is one PUT, of a value larger than a part an upload in
 * parts, one after the other. A listing requests a page of a thousand objects when its subscriber
 * demands one of them. An erasure is one DELETE. {@link GcsStoreBuilder#connections} bounds the
 * connections.
 *
 * <p><b>Versions.</b> The version of a value is the generation of its object, with its ETag.
 * Conditions of writes and erasures are checked by the server, of uploads in parts, too.
 *
 * <p><b>Missing values.</b> A value is missing where the server answers 404, unless the bucket is
 * missing. 401 and 403 are {@link AccessDeniedException}, unless {@link
 * GcsStoreBuilder#forbiddenIsMissing} says otherwise. The server answers 403 for missing values to
 * callers that may not list the bucket.
 *
 * <p><b>Errors.</b> 408, 429, most of 5xx, resets, time-outs, stalls and bodies that were cut are
 * {@link TransientStoreException}, with the delay of {@code Retry-After}; {@code Stores.retrying}
 * adds attempts. A body that was cut is resumed first, from its last byte, if the value is still
 * the same. Another {@code Content-Range} than the requested one is a {@link StoreException}. A
 * condition that does not hold is {@link PreconditionFailedException}. After a conditional write
 * whose answer was lost the store looks at the stored value, which tells by its metadata whose it
 * is.
 *
 * <p><b>Threads.</b> Signals arrive on event loops of Netty: do no long work there; arrays decode
 * on threads of their own. Threads of the store that may block set up the client and look up
 * credentials.
 *
 * <p><b>Cancel</b> closes the connection, and discards an upload in parts.
 */
public final class GcsStore extends AbstractStore implements LeftoverStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(EnumSet.allOf(StoreCapability.class));

  private final ServiceSettings settings;
  private final ValueReader values;
  private final ObjectListing listing;
  private final ObjectWriter writing;
  private final ServiceEraser erasing;
  private final UnfinishedUploads<UploadsXml.Upload> unfinished;
  private final Mono<Void> closed;

  GcsStore(ServiceRequests requests, Mono<Void> closed) {
    this.settings = requests.settings();
    this.values = new ValueReader(new ServiceValueRequests(requests), settings.resumes());
    this.listing = new ObjectListing(settings.names(), new GcsPages(requests, settings));
    this.writing =
        new ObjectWriter(
            new GcsWrites(requests, settings),
            new ObjectWriter.Limits(settings.partSize(), settings.partSize(), true));
    this.erasing = new ServiceEraser(requests);
    this.unfinished = new UnfinishedUploads<>(settings.names(), new GcsUploads(requests, settings));
    this.closed = closed;
  }

  /**
   * Returns the store of all of {@code bucket}, with the default settings; see {@link #at}.
   *
   * @throws IllegalArgumentException for other text than the name of a bucket
   */
  public static GcsStore open(String bucket) {
    return at(bucket).open();
  }

  /**
   * Returns the settings of a store in {@code bucket}.
   *
   * @throws IllegalArgumentException for other text than the name of a bucket
   */
  public static GcsStoreBuilder at(String bucket) {
    return new GcsStoreBuilder(bucket);
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
   * <p>The version is the generation of the object and, behind an {@code @}, its ETag.
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
   * stored the value. A conditional write leaves a mark in the metadata of the object, {@code
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
   * <p>A value of no more than one {@linkplain GcsStoreBuilder#partSize part} is one PUT, a larger
   * one an upload in parts, one after the other, while another one fills: 32 MiB with the defaults.
   * The server checks the condition when the last part has come. {@code Stores.retrying} repeats
   * what the server lacks of a part. An error or a cancel discards the upload.
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
   * Lists the multipart uploads below the prefix that were begun and never ended. This store begins
   * none: its uploads are resumable sessions, which cost nothing, which nobody can list, and which
   * the service discards after a week. Programs that speak S3 to the bucket begin them, and their
   * parts are paid for. Choose an age above that of any upload, such as a day. It takes a request
   * for a thousand uploads, and one for each upload.
   */
  @Override
  public Flux<Leftover> leftovers(Duration age) {
    return unfinished.list(age);
  }

  /** Aborts the uploads that {@link #leftovers} lists, and emits their number. */
  @Override
  public Mono<Long> clean(Duration age) {
    return unfinished.remove(age);
  }

  /** Closes the connections, unless the application gave the client. */
  @Override
  public Mono<Void> close() {
    return closed;
  }

  /** The bucket and the prefix. */
  @Override
  public String toString() {
    return "GcsStore[" + settings.names().url(StorePrefix.ROOT) + "]";
  }
}
