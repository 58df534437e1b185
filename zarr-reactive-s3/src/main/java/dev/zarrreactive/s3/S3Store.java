package dev.zarrreactive.s3;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.transfer.Wanted;
import dev.zarrreactive.internal.transfer.WantedVersion;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.ListEntry;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.StorePrefix;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store in a bucket of S3, of Amazon's or of another server that speaks it.
 *
 * <p><b>Requests.</b> A value is one GET, a range one GET with {@code Range}; a range that is empty
 * is a HEAD, for the value must be there. A value is written with one PUT, a large one in parts. A
 * listing asks for a page of a thousand keys when something of it is demanded. Up to a thousand
 * keys are erased by one request. No more requests are under way than {@link
 * S3StoreBuilder#connections} says; the others wait their turn, operation by operation.
 *
 * <p><b>Missing</b> is what the server answers 404 to, but for a bucket that does not exist. 401
 * and 403 are {@link AccessDeniedException}, unless {@link S3StoreBuilder#forbiddenIsMissing} says
 * otherwise. A server that may not list for the caller answers 403 for what is missing.
 *
 * <p><b>Errors.</b> 408, 429, 5xx, {@code SlowDown} and its like, resets, time-outs, silence and
 * bodies that were cut are {@link TransientStoreException}, with what {@code Retry-After} said; put
 * {@code Stores.retrying} over the store for another attempt, since the client makes none. A body
 * that was cut is continued first, from the byte where it broke off, if that is still the same
 * value. A {@code Content-Range} other than the one asked for is a {@link StoreException}. A
 * condition that does not hold is {@link PreconditionFailedException}, also where the server
 * answers 409, because somebody else writes at the same time.
 *
 * <p><b>Threads.</b> Signals arrive on event loops of Netty: do no long work there; arrays decode
 * on threads of their own. The client is made, and credentials are looked up, on threads of the
 * store that may block.
 *
 * <p><b>Cancel</b> closes the connection. An upload in parts is thrown away.
 */
public final class S3Store extends AbstractStore {
  private final S3Settings settings;
  private final Calls calls;
  private final Sizes sizes;
  private final Listing listing;
  private final Writing writing;
  private final Erasing erasing;
  private final Set<StoreCapability> capabilities;

  S3Store(S3Settings settings, Calls calls) {
    this.settings = settings;
    this.calls = calls;
    this.sizes = new Sizes(calls, settings);
    this.listing = new Listing(calls, settings);
    this.writing = new Writing(calls, settings);
    this.erasing = new Erasing(calls, settings);
    Set<StoreCapability> can = EnumSet.allOf(StoreCapability.class);
    can.remove(StoreCapability.PARTIAL_WRITE);
    if (!settings.conditionalWrites()) {
      can.remove(StoreCapability.CONDITIONAL_WRITE);
    }
    if (!settings.conditionalErase()) {
      can.remove(StoreCapability.CONDITIONAL_ERASE);
    }
    this.capabilities = Collections.unmodifiableSet(can);
  }

  /**
   * The store of all of {@code bucket}, with the default settings; see {@link #at}.
   *
   * @throws IllegalArgumentException where that is no name of a bucket
   */
  public static S3Store open(String bucket) {
    return at(bucket).build();
  }

  /**
   * Settings of a store in {@code bucket}, which is a name or the ARN of an access point.
   *
   * @throws IllegalArgumentException where it is neither
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
    return read(key, null, ReadCondition.ALWAYS).mapNotNull(VersionedBytes::bytes);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return read(key, range, ReadCondition.ALWAYS).mapNotNull(VersionedBytes::bytes);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The version is the ETag, with its quotation marks. With {@link S3StoreBuilder#versionIds} it
   * is the ETag and the id under which the bucket keeps the object; {@link ReadCondition#ifMatch}
   * then brings just that object, also where it has been replaced or erased.
   */
  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return read(key, range, condition);
  }

  private Mono<VersionedBytes> read(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    boolean empty =
        (range instanceof ByteRange.Slice slice && slice.length() == 0)
            || (range instanceof ByteRange.Suffix suffix && suffix.length() == 0);
    if (range != null && empty) {
      return sizes.of(key, condition).map(size -> bytesOf(key, range, size, condition));
    }
    Wanted wanted = range == null ? Wanted.WHOLE : Wanted.of(range);
    return Mono.defer(() -> new ValueReading(calls, settings, key, wanted, condition).bytes());
  }

  /** Of a range that has none. */
  private static VersionedBytes bytesOf(
      StoreKey key, ByteRange range, Size size, ReadCondition condition) {
    VersionedBytes unchanged = WantedVersion.unchanged(key, size.tag().version(), condition);
    if (unchanged != null) {
      return unchanged;
    }
    range.resolve(key, size.total());
    return new VersionedBytes(Bytes.EMPTY, size.tag().version());
  }

  /**
   * {@inheritDoc}
   *
   * <p>A write that is cancelled, or that ends in a {@link TransientStoreException}, may have
   * happened all the same.
   */
  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    if (precondition != Precondition.NONE && !settings.conditionalWrites()) {
      return Mono.error(
          () -> refusal(StoreCapability.CONDITIONAL_WRITE, "set with a condition", key));
    }
    return writing.set(key, value, precondition);
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
   * <p>A thousand keys in a request, where so many come within ten milliseconds. The first key that
   * could not be erased is the error; others of the same request are erased.
   */
  @Override
  public Mono<Void> eraseValues(Publisher<StoreKey> keys) {
    return erasing.erase(keys);
  }

  /**
   * {@inheritDoc}
   *
   * <p>A server that lists a key otherwise than it is, since XML cannot say it, has erased nothing:
   * that is a {@link StoreException} when the others are erased.
   */
  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    return Mono.defer(
        () -> {
          AtomicBoolean doubtful = new AtomicBoolean();
          Flux<StoreKey> keys =
              listPrefix(prefix)
                  .doOnNext(key -> doubtful.compareAndSet(false, Listing.isDoubtful(key)));
          return eraseValues(keys)
              .then(Mono.defer(() -> doubtful.get() ? noneIsLeft(prefix) : Mono.empty()));
        });
  }

  private Mono<Void> noneIsLeft(StorePrefix prefix) {
    return listPrefix(prefix)
        .filter(Listing::isDoubtful)
        .next()
        .flatMap(
            key ->
                Mono.error(
                    () ->
                        new StoreException(
                            "cannot erase all of "
                                + settings.url(prefix)
                                + ": the server ignores encoding-type=url and lists a key that"
                                + " XML cannot say as "
                                + settings.url(key)
                                + "; erase that one by its own name",
                            S3Settings.at(key))));
  }

  @Override
  public Flux<StoreKey> list() {
    return listing.keys(StorePrefix.ROOT);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return listing.keys(prefix);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return listing.entries(prefix);
  }

  /** Closes the client with its connections, unless it is the user's own. */
  @Override
  public Mono<Void> close() {
    return calls.close();
  }

  /** The bucket and the prefix. */
  @Override
  public String toString() {
    return "S3Store[" + settings.url(StorePrefix.ROOT) + "]";
  }
}
