package dev.zarrreactive.http;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.transfer.Wanted;
import dev.zarrreactive.internal.transfer.WantedVersion;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ByteRange;
import dev.zarrreactive.store.Bytes;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoreKey;
import dev.zarrreactive.store.VersionedBytes;
import java.net.URI;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A store below a URL of a server that knows nothing of Zarr, over HTTP or HTTPS. It reads values
 * and ranges of them; it cannot write, and it cannot list: HTTP has no listing. Hierarchies are
 * found by their consolidated metadata, arrays by their path.
 *
 * <p><b>Requests.</b> A value is one GET, a range one GET with {@code Range}. A range that is empty
 * is a HEAD, for the value must be there. Where the server refuses ranges that count from the end,
 * the size is asked for first, from then on at once. A server that ignores ranges is borne with:
 * what comes before the range is dropped, what comes after it is not waited for.
 *
 * <p><b>Missing</b> is what the server answers 404 or 410 to, and what it redirects to the same
 * path with a slash, which is a directory. 401 and 403 are {@link AccessDeniedException}, unless
 * {@link HttpStoreBuilder#forbiddenIsMissing} says otherwise.
 *
 * <p><b>Errors.</b> 408, 425, 429, most of 5xx, resets, time-outs and bodies that were cut are
 * {@link TransientStoreException}, with what {@code Retry-After} said; put {@code Stores.retrying}
 * over the store for another attempt. What was sent when its connection closed without an answer is
 * sent once more, over another. A body that was cut is continued first, from the byte where it
 * broke off, if the value has a strong ETag and that is still the same. A {@code Content-Range}
 * other than the one asked for, an encoded body and a redirect from HTTPS to HTTP are a {@link
 * StoreException}. Errors name the URL without its query and user information.
 *
 * <p><b>Threads.</b> Signals arrive on event loops of Netty: do no long work there; arrays decode
 * on threads of their own. The client is set up, once, on a thread that may block.
 *
 * <p><b>Cancel</b> closes the connection of HTTP/1.1, and resets the stream of HTTP/2.
 */
public final class HttpStore extends AbstractStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(
          EnumSet.of(StoreCapability.READ, StoreCapability.PARTIAL_READ, StoreCapability.VERSIONS));

  private final Url base;
  private final Exchange exchange;
  private final HttpSettings settings;
  private final Sizes sizes;
  private final Mono<Void> closed;

  /** The server refuses ranges that count from the end; learnt from its first refusal. */
  private volatile boolean refusesSuffixes;

  HttpStore(Url base, Exchange exchange, HttpSettings settings, Mono<Void> closed) {
    this.base = base;
    this.exchange = exchange;
    this.settings = settings;
    this.sizes = new Sizes(exchange);
    this.closed = closed;
  }

  /**
   * The store below {@code base}, with the default settings; see {@link #at}.
   *
   * @throws IllegalArgumentException where the URI is no URL of HTTP
   */
  public static HttpStore open(URI base) {
    return at(base).build();
  }

  /**
   * Settings of a store below {@code base}. The query of the URI, such as a signature, is sent with
   * every request; user information is sent as basic authentication.
   *
   * @throws IllegalArgumentException where the URI is no URL of HTTP
   */
  public static HttpStoreBuilder at(URI base) {
    return new HttpStoreBuilder(base);
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return CAPABILITIES;
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
   * <p>The version is the ETag as the server writes it. A value without one has no version; to ask
   * for one of it fails.
   */
  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return read(key, range, condition);
  }

  private Mono<VersionedBytes> read(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    if (range == null) {
      return reading(key, Wanted.WHOLE, null, Mono::error, condition);
    }
    if (range instanceof ByteRange.Slice slice && slice.length() == 0) {
      return counted(key, range, condition);
    }
    if (range instanceof ByteRange.Suffix suffix) {
      return suffix.length() == 0
          ? counted(key, range, condition)
          : Mono.defer(() -> suffix(key, suffix, condition));
    }
    return reading(key, Wanted.of(range), null, Mono::error, condition);
  }

  private Mono<VersionedBytes> suffix(
      StoreKey key, ByteRange.Suffix suffix, ReadCondition condition) {
    Mono<VersionedBytes> counted = counted(key, suffix, condition);
    return refusesSuffixes
        ? counted
        : reading(
            key,
            Wanted.of(suffix),
            null,
            refusal -> counted.doOnNext(answer -> refusesSuffixes = true),
            condition);
  }

  /** By the size, which is asked for first. */
  private Mono<VersionedBytes> counted(StoreKey key, ByteRange range, ReadCondition condition) {
    return sizes.of(key).flatMap(size -> bySize(key, range, size, condition));
  }

  private Mono<VersionedBytes> bySize(
      StoreKey key, ByteRange range, Size size, ReadCondition condition) {
    VersionedBytes unchanged =
        WantedVersion.unchanged(key, Conditions.version(size.tag()), condition);
    if (unchanged != null) {
      return Mono.just(unchanged);
    }
    ByteRange.Slice slice = range.resolve(key, size.total());
    return slice.length() == 0
        ? Mono.just(new VersionedBytes(Bytes.EMPTY, Conditions.version(size.tag())))
        : reading(key, Wanted.of(slice), size, Mono::error, condition);
  }

  private Mono<VersionedBytes> reading(
      StoreKey key,
      Wanted wanted,
      @Nullable Size expected,
      ValueReading.SuffixRefused suffixRefused,
      ReadCondition condition) {
    return Mono.defer(
        () ->
            new ValueReading(
                    exchange,
                    key,
                    wanted,
                    expected,
                    suffixRefused,
                    condition,
                    sizes,
                    settings.resumes())
                .bytes());
  }

  /** Closes the connections, unless the client is the user's own. */
  @Override
  public Mono<Void> close() {
    return closed;
  }

  /** The URL without its query and user information. */
  @Override
  public String toString() {
    return "HttpStore[" + base + "]";
  }
}
