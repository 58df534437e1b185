package dev.zarrreactive.http;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.http.Url;
import dev.zarrreactive.internal.transfer.ValueReader;
import dev.zarrreactive.internal.transfer.ValueRequests;
import dev.zarrreactive.internal.transfer.ValueSize;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.VersionedBytes;
import java.net.URI;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A store below a URL of any HTTP server. It reads values and ranges of them. It is read-only, and
 * it cannot list: HTTP has no listing. A hierarchy finds its nodes by consolidated metadata, and
 * arrays by their path.
 *
 * <p><b>Requests.</b> A value is one GET, a range one GET with {@code Range}. An empty range is a
 * HEAD, for its value must exist. Where the server refuses ranges that count from the end, the
 * store asks for the size first, for all later ones too. Where the server ignores ranges, the store
 * drops the bytes before the range and does not wait for the bytes behind it.
 *
 * <p><b>Missing values.</b> A value is missing where the server answers 404 or 410, or redirects to
 * the same path with a slash, which is a directory. 401 and 403 are {@link AccessDeniedException},
 * unless {@link HttpStoreBuilder#forbiddenIsMissing} says otherwise.
 *
 * <p><b>Errors.</b> 408, 425, 429, most of 5xx, resets, time-outs and bodies that were cut are
 * {@link TransientStoreException}, with the delay of {@code Retry-After}; {@code Stores.retrying}
 * adds attempts. A connection that closes without a response costs one more request over another,
 * and one for each old connection that closes then, too. A body that was cut is resumed first, from
 * its last byte, if the value still has the same strong ETag. Another {@code Content-Range} than
 * the requested one, a range of an encoded body, a page in HTML in place of a value, and a redirect
 * from HTTPS to HTTP are a {@link StoreException}; a whole value in gzip or deflate is decoded.
 * Errors name the URL without its query and user information.
 *
 * <p><b>Threads.</b> Signals arrive on event loops of Netty: do no long work there; arrays decode
 * on threads of their own. The first request sets up the client on a thread that may block.
 *
 * <p><b>Cancel</b> closes the connection of HTTP/1.1, and resets the stream of HTTP/2.
 */
public final class HttpStore extends AbstractStore {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(
          EnumSet.of(StoreCapability.READ, StoreCapability.PARTIAL_READ, StoreCapability.VERSIONS));

  private final Url base;
  private final ValueRequests requests;
  private final ValueReader values;
  private final ValueReader pages;
  private final Mono<Void> closed;

  HttpStore(
      Url base, ValueRequests requests, ValueReader values, ValueReader pages, Mono<Void> closed) {
    this.base = base;
    this.requests = requests;
    this.values = values;
    this.pages = pages;
    this.closed = closed;
  }

  /**
   * Returns the store below {@code base}, with the default settings; see {@link #at}.
   *
   * @throws IllegalArgumentException for a URI that is no URL of HTTP
   */
  public static HttpStore open(URI base) {
    return at(base).open();
  }

  /**
   * Returns the settings of a store below {@code base}. Every request sends the query of the URI,
   * such as a signature, and its user information as basic authentication.
   *
   * @throws IllegalArgumentException for a URI that is no URL of HTTP
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
    return values.read(key, null);
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return values.read(key, range);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The version is the ETag as the server writes it. Only a value with an ETag has a version: a
   * read that requires one fails for other values.
   */
  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return values.read(key, range, condition);
  }

  /**
   * Reads what the server answers for the URL of a directory, with the slash at its end: many
   * servers list the files there. Empty where the page is missing; larger pages fail.
   */
  public Mono<Bytes> page(StorePrefix directory, long mostBytes) {
    return pages.read(directory.key("index.html"), ByteRange.whole(mostBytes));
  }

  /** Emits the size of a value in bytes; empty for a missing one. */
  public Mono<Long> size(StoreKey key) {
    return requests.size(key, ReadCondition.ALWAYS).map(ValueSize::total);
  }

  /** Closes the connections, unless the application gave the client. */
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
