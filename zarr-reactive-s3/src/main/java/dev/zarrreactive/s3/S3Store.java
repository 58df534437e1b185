package dev.zarrreactive.s3;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.objects.ObjectListing;
import dev.zarrreactive.internal.objects.ObjectNames;
import dev.zarrreactive.internal.objects.ObjectWriter;
import dev.zarrreactive.internal.objects.UnfinishedUploads;
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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/**
 * A store in a bucket of Amazon S3 or of a compatible server.
 *
 * <p><b>Requests.</b> A value is one GET, a range one GET with {@code Range}. An empty range is a
 * HEAD, for its value must exist. A write is one PUT, of a large value an upload in parts. A
 * listing requests a page of a thousand keys when its subscriber demands one of them. One request
 * erases up to a thousand values. {@link S3StoreBuilder#connections} bounds the requests in flight;
 * others wait, operation by operation. The store signs a GET itself and sends it without the AWS
 * SDK, unless the SDK would make another request.
 *
 * <p><b>Missing values.</b> A value is missing where the server answers 404, unless the bucket is
 * missing. 401 and 403 are {@link AccessDeniedException}, unless {@link
 * S3StoreBuilder#forbiddenIsMissing} says otherwise. A server answers 403 for missing values to
 * callers that may not list the bucket.
 *
 * <p><b>Errors.</b> 408, 429, 5xx, {@code SlowDown} and its like, resets, time-outs, stalls and
 * bodies that were cut are {@link TransientStoreException}, with the delay of {@code Retry-After};
 * {@code Stores.retrying} adds attempts, for the client makes one. A body that was cut is resumed
 * first, from its last byte, if the value is still the same. Another {@code Content-Range} than the
 * requested one is a {@link StoreException}. A condition that does not hold is {@link
 * PreconditionFailedException}, and so is 409, the answer to a concurrent write.
 *
 * <p><b>Threads.</b> Signals arrive on event loops of Netty: do no long work there; arrays decode
 * on threads of their own. Threads of the store that may block make the client and look up
 * credentials.
 *
 * <p><b>Cancel</b> closes the connection, and discards an upload in parts.
 */
public final class S3Store extends AbstractStore implements LeftoverStore {
  private final S3Settings settings;
  private final S3Requests requests;
  private final ValueReader values;
  private final ObjectListing listing;
  private final ObjectWriter writing;
  private final ValueEraser erasing;
  private final UnfinishedUploads<MultipartUpload> unfinished;
  private final Set<StoreCapability> capabilities;

  S3Store(S3Settings settings, S3Requests requests) {
    this.settings = settings;
    this.requests = requests;
    this.values = new ValueReader(new S3ValueRequests(requests, settings), settings.resumes());
    this.listing = new ObjectListing(settings.names(), new BucketListing(requests, settings));
    this.writing =
        new ObjectWriter(
            new ValueWriter(requests, settings),
            new ObjectWriter.Limits(
                settings.multipartThreshold(),
                settings.partSize(),
                settings.conditionalMultipart()));
    this.erasing = new ValueEraser(requests, settings);
    this.unfinished =
        new UnfinishedUploads<>(settings.names(), new BucketUploads(requests, settings));
    Set<StoreCapability> can = EnumSet.allOf(StoreCapability.class);
    if (!settings.conditionalWrites()) {
      can.remove(StoreCapability.CONDITIONAL_WRITE);
    }
    if (!settings.conditionalErase()) {
      can.remove(StoreCapability.CONDITIONAL_ERASE);
    }
    this.capabilities = Collections.unmodifiableSet(can);
  }

  /**
   * Returns the store of all of {@code bucket}, with the default settings; see {@link #at}.
   *
   * @throws IllegalArgumentException for other text than the name of a bucket
   */
  public static S3Store open(String bucket) {
    return at(bucket).open();
  }

  /**
   * Returns the settings of a store in {@code bucket}, a name or the ARN of an access point.
   *
   * @throws IllegalArgumentException for other text
   */
  public static S3StoreBuilder at(String bucket) {
    return new S3StoreBuilder(bucket);
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return capabilities;
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
   * <p>The version is the ETag, with its quotation marks. With {@link S3StoreBuilder#versionIds} it
   * is the ETag and the version id of the object; {@link ReadCondition#ifMatch} then reads exactly
   * that object, even after it was replaced or erased.
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
    if (!precondition.equals(Precondition.NONE) && !settings.conditionalWrites()) {
      return Mono.error(
          () -> refusal(StoreCapability.CONDITIONAL_WRITE, "set with a condition", key));
    }
    return writing.set(key, value, precondition);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A value of no more than one {@linkplain S3StoreBuilder#multipart part} is one PUT, a larger
   * one an upload in parts: four of them are sent at a time while a fifth one fills, 80 MiB with
   * the defaults. A request of the upload is repeated by {@code Stores.retrying}. An error or a
   * cancel discards the upload. A conditional write is joined in memory for one PUT, unless {@link
   * S3StoreBuilder#conditionalMultipart} allows parts.
   */
  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return writing.mayBeInParts(precondition)
        ? writing.set(key, pieces, precondition)
        : super.set(key, pieces, precondition);
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return erasing.erase(key);
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    return settings.conditionalErase() ? erasing.erase(key, version) : super.erase(key, version);
  }

  /**
   * {@inheritDoc}
   *
   * <p>One request erases up to a thousand keys that arrive within ten milliseconds. The error
   * names the first key that the server did not erase; it erases the others of that request.
   */
  @Override
  public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    return erasing.erase(keys);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A server may list a changed key, where XML cannot express its characters. That value
   * remains, and is a {@link StoreException} when the others are erased.
   */
  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return Mono.defer(
        () -> {
          AtomicBoolean doubtful = new AtomicBoolean();
          Flux<StoreKey> keys =
              listPrefix(prefix)
                  .doOnNext(key -> doubtful.compareAndSet(false, BucketListing.isDoubtful(key)));
          return eraseValues(keys)
              .then(Mono.defer(() -> doubtful.get() ? noneIsLeft(prefix) : Mono.empty()));
        });
  }

  private Mono<Void> noneIsLeft(StorePrefix prefix) {
    return listPrefix(prefix)
        .filter(BucketListing::isDoubtful)
        .next()
        .flatMap(
            key ->
                Mono.error(
                    () ->
                        new StoreException(
                            "cannot erase all of "
                                + settings.names().url(prefix)
                                + ": the server ignores encoding-type=url and lists a key that"
                                + " XML cannot express as "
                                + settings.names().url(key)
                                + "; erase that value by its own key",
                            ObjectNames.at(key))));
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
   * Lists the uploads in parts below the prefix that were begun at least {@code age} ago and have
   * not ended; a writer that was killed leaves one. Uploads of any program are listed. A server
   * tells nothing of the writer: choose an age above that of any upload, such as a day. The size is
   * that of the parts that have arrived, and takes a request for each upload.
   *
   * <p>MinIO lists unfinished uploads only by the whole key, and nothing here; it removes them
   * after a day by itself.
   */
  @Override
  public Flux<Leftover> leftovers(Duration age) {
    return unfinished.list(age);
  }

  /**
   * Discards the uploads in parts that {@link #leftovers} lists, and emits their number. A rule of
   * the bucket's lifecycle, {@code AbortIncompleteMultipartUpload}, does the same at the server.
   */
  @Override
  public Mono<Long> clean(Duration age) {
    return unfinished.remove(age);
  }

  /** Closes the client with its connections, unless the application gave the client. */
  @Override
  public Mono<Void> close() {
    return requests.close();
  }

  /** The bucket and the prefix. */
  @Override
  public String toString() {
    return "S3Store[" + settings.names().url(StorePrefix.ROOT) + "]";
  }
}
