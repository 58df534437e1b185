package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads bytes of one value, for one subscriber, with one request at a time. After a body that was
 * cut it asks for the rest, as long as the value is the same: that needs a strong version.
 *
 * <pre>
 *   start ──GET──▶ body ──────────▶ bytes
 *           │       │ cut ▲
 *           │       ▼     │ rest of the same version
 *           │     resume ─┘ ──▶ error: the cut, or a value that changed
 *           └▶ refused ──▶ unchanged | error | by the size
 * </pre>
 */
final class ResumableRead implements ValueRequests.BodyReader {
  private final ValueRequests requests;
  private final StoreKey key;
  private final RequestedRange range;
  private final ReadCondition condition;
  private final @Nullable ValueSize expected;
  private final @Nullable Mono<VersionedBytes> bySize;
  private final @Nullable Mono<VersionedBytes> again;
  private int resumes;

  /** True where the value is another one than the expected size was of. */
  private boolean isOutdated;

  /** Null before the first body. */
  private @Nullable BodyCollector body;

  /**
   * A read that has not begun.
   *
   * @param expected the size that the range was computed from; null where it was not
   * @param bySize the same read by the size, for a server that refuses the range; null for a range
   *     that every server knows
   * @param again the same read with the size of the value that there is now; null where the
   *     replacement of the value is an error
   * @param resumes the number of times that the rest of a body is asked for
   */
  ResumableRead(
      ValueRequests requests,
      StoreKey key,
      RequestedRange range,
      ReadCondition condition,
      @Nullable ValueSize expected,
      @Nullable Mono<VersionedBytes> bySize,
      @Nullable Mono<VersionedBytes> again,
      int resumes) {
    this.requests = requests;
    this.key = key;
    this.range = range;
    this.condition = condition;
    this.expected = expected;
    this.bySize = bySize;
    this.again = again;
    this.resumes = resumes;
  }

  /** Sends the first request; empty where the value is missing. */
  Mono<VersionedBytes> start() {
    Mono<VersionedBytes> read =
        send(new ValueRequests.Get(range.header(), condition, false), this::onRefusal);
    Mono<VersionedBytes> repeat = again;
    return repeat == null ? read : read.onErrorResume(e -> isOutdated, e -> repeat);
  }

  /** Takes the next step only when the response has ended. */
  private Mono<VersionedBytes> send(
      ValueRequests.Get request, Function<ValueRequests.Refused, Mono<VersionedBytes>> onRefusal) {
    return requests
        .get(key, request, this)
        .onErrorResume(TransientStoreException.class, cut -> Mono.just(new ValueRequests.Cut(cut)))
        .flatMap(
            response -> {
              if (response instanceof ValueRequests.Success success) {
                return Mono.just(success.value());
              }
              return response instanceof ValueRequests.Refused refused
                  ? onRefusal.apply(refused)
                  : resume(((ValueRequests.Cut) response).error());
            });
  }

  @Override
  public Mono<ValueRequests.Response> read(BodyHead head, Flux<ByteBuffer> content) {
    BodyCollector begun = body;
    if (begun == null) {
      VersionedBytes unchanged = condition.check(key, head.version(), head.modified());
      if (unchanged != null) {
        return BodyDrain.of(content).then(Mono.just(new ValueRequests.Success(unchanged)));
      }
      BodyCoding coding = head.coding();
      if (coding != null && range.header() == null) {
        return decode(coding, head, content);
      }
      head.requirePlain();
      if (expected != null && !expected.mayBeOf(head)) {
        isOutdated = true;
        throw head.changed();
      }
      begun = new BodyCollector(head, range);
      body = begun;
    } else {
      begun.resumeWith(head.requirePlain());
    }
    return begun.collect(content).map(bytes -> success(bytes, head));
  }

  /** Reads a whole value from an encoded body, which is not resumed, on a codec thread. */
  private Mono<ValueRequests.Response> decode(
      BodyCoding coding, BodyHead head, Flux<ByteBuffer> content) {
    return new BodyCollector(head, range.encoded())
        .collect(content)
        .publishOn(Environment.current().codecScheduler())
        .map(encoded -> success(coding.decode(encoded, range.maxBytes(), key, head.url()), head));
  }

  private static ValueRequests.Response success(Bytes bytes, BodyHead head) {
    return new ValueRequests.Success(new VersionedBytes(bytes, head.version()));
  }

  private Mono<VersionedBytes> resume(TransientStoreException cut) {
    BodyCollector begun = body;
    ValueRequests.Get rest = begun == null || resumes == 0 ? null : begun.rest();
    if (begun == null || rest == null) {
      return Mono.error(cut);
    }
    resumes--;
    BodyHead head = begun.head();
    return send(rest, refused -> Mono.error(head::changed))
        .switchIfEmpty(Mono.error(head::changed));
  }

  private Mono<VersionedBytes> onRefusal(ValueRequests.Refused refused) {
    Version known = condition.known();
    Version required = condition.required();
    if (refused.status() == 304 && known != null) {
      return Mono.just(VersionedBytes.unchanged(known));
    }
    if (refused.status() == 412 && required != null) {
      return Mono.error(() -> required.mismatch(key, "it has another"));
    }
    Instant since = condition.unmodifiedSince();
    if (refused.status() == 412 && since != null) {
      return Mono.error(() -> ReadCondition.newer(key, since, "later"));
    }
    boolean isConditional = refused.status() == 304 || refused.status() == 412;
    boolean isBeyondTheEnd = refused.status() == 416;
    if (isBeyondTheEnd && expected != null) {
      isOutdated = true;
      return Mono.error(() -> BodyHead.changed(key, refused.url()));
    }
    if (bySize != null && !isConditional && !(isBeyondTheEnd && refused.total() == 0)) {
      return bySize;
    }
    return isBeyondTheEnd && range.header() != null
        ? requests.size(key, condition).map(size -> beyondTheEnd(size, refused))
        : Mono.error(refused.error());
  }

  /** The version, which a 416 does not tell, is compared first. */
  private VersionedBytes beyondTheEnd(ValueSize size, ValueRequests.Refused refused) {
    VersionedBytes unchanged = condition.check(key, size.version(), size.modified());
    if (unchanged != null) {
      return unchanged;
    }
    if (refused.total() >= 0 && refused.total() != size.total()) {
      throw BodyHead.changed(key, refused.url());
    }
    if (range.isInside(size.total())) {
      throw refused.total() < 0 ? BodyHead.changed(key, refused.url()) : refused.error().get();
    }
    if (range.end() >= 0 || range.offset() > size.total()) {
      throw range.tooShort(key, size.total());
    }
    return new VersionedBytes(Bytes.EMPTY, size.version());
  }
}
