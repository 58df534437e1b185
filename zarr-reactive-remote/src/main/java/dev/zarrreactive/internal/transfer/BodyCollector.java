package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.ReadCondition;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Collects the bytes of a range from one body or, where that is cut, from several. Of a larger body
 * it drops the bytes before the range, and does not wait for those behind it.
 */
final class BodyCollector {
  private final RequestedRange range;
  private final BodyBuffer collected;

  /** The range in the value; -1 where the end of the value is not known yet. */
  private final long from;

  private final long to;
  private BodyHead head;

  /** The place in the value of the next byte that arrives. */
  private long position;

  private long resumedAt = -1;

  /**
   * A collector of the bytes of one read.
   *
   * @throws ValueTooLargeException where the value is larger than allowed, before any of it is
   *     collected; a value of unknown size ends in this error when it passes the bound
   * @throws StoreException where the body is not the requested one
   */
  BodyCollector(BodyHead head, RequestedRange range) {
    this.range = range;
    this.head = head;
    if (head.partial()) {
      check();
    }
    long size = head.partial() ? head.end() : head.total();
    boolean endIsKnown = !range.isSuffix() || size >= 0;
    this.from =
        range.isSuffix() && endIsKnown
            ? (head.partial() ? head.offset() : Math.max(0, size - range.last()))
            : range.offset();
    this.to = range.end() >= 0 ? range.end() : size;
    if (!head.partial() && size >= 0 && endIsKnown && (from > size || to > size)) {
      throw range.tooShort(head.key(), size);
    }
    if (size > range.maxBytes()) {
      throw range.tooLarge(head.key(), size);
    }
    if (to - from > BodyBuffer.MAX_SIZE) {
      throw new StoreException(
          "a value of " + (to - from) + " bytes does not fit into one array",
          Location.ofKey(head.key().value()));
    }
    this.position = head.offset();
    this.collected = new BodyBuffer(to < 0 ? -1 : to - from, range.maxBytes());
  }

  /** Checks that a 206 has exactly the requested range, up to the end of the value. */
  private void check() {
    boolean toTheEnd = head.end() == head.total();
    if (range.header() == null) {
      throw head.violation("answered 206 to a request without a range");
    }
    boolean right;
    if (range.isSuffix()) {
      long length = Math.min(range.last(), head.total());
      right = toTheEnd && head.end() - head.offset() == length;
    } else if (range.end() < 0) {
      right = toTheEnd && head.offset() == range.offset();
    } else {
      if (head.offset() == range.offset() && head.end() < range.end() && toTheEnd) {
        throw range.tooShort(head.key(), head.total());
      }
      right = head.offset() == range.offset() && head.end() == range.end();
    }
    if (!right) {
      throw head.violation("answered " + head.contentRange() + ", wanted " + range);
    }
  }

  /** Returns the head of the last body. */
  BodyHead head() {
    return head;
  }

  /** Collects a body; emits the bytes of the range when the last of them has arrived. */
  Mono<Bytes> collect(Flux<ByteBuffer> content) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Bytes> subscriber) {
        content.subscribe(new Collection(subscriber));
      }
    };
  }

  /**
   * Returns the request for the missing bytes; null where it would not help. Each resume must have
   * brought some bytes, but for the first: a reset may take all that was sent before it.
   */
  ValueRequests.@Nullable Get rest() {
    boolean canResume = head.isStrong() && from >= 0 && next() > resumedAt && !isComplete();
    if (!canResume || head.version() == null) {
      return null;
    }
    resumedAt = next();
    return new ValueRequests.Get(restHeader(), ReadCondition.ifMatch(head.version()), true);
  }

  private String restHeader() {
    return "bytes=" + resumedAt + "-" + (to < 0 ? "" : to - 1);
  }

  /**
   * Goes on with the body of a response to {@link #rest}.
   *
   * @throws TransientStoreException where the value has another version now
   * @throws StoreException where the body is not the requested one
   */
  void resumeWith(BodyHead next) {
    boolean same =
        Objects.equals(head.version(), next.version())
            && (head.total() < 0 || next.total() < 0 || head.total() == next.total());
    if (!same) {
      throw next.changed();
    }
    boolean follows =
        !next.partial()
            || (next.offset() == resumedAt
                && (to < 0 ? next.end() == next.total() : next.end() == to));
    if (!follows) {
      throw next.violation("answered " + next.contentRange() + ", wanted " + restHeader());
    }
    head = next;
    position = next.offset();
  }

  /** Returns true where the last byte of the range has arrived; the body may go on. */
  private boolean isComplete() {
    return from >= 0 && to >= 0 && next() == to;
  }

  private long next() {
    return from + collected.size();
  }

  private void add(ByteBuffer part) {
    int count = part.remaining();
    if (head.end() >= 0 && count > head.end() - position) {
      throw head.violation("sent more bytes than it said");
    }
    long first = from < 0 ? position : Math.max(position, next());
    long last = to < 0 ? position + count : Math.min(position + count, to);
    if (first < last) {
      int size = (int) (last - first);
      if (from < 0) {
        forgetAllButTheSuffix(size);
      }
      if (size > range.maxBytes() - collected.size()) {
        throw range.tooLarge(head.key(), ValueTooLargeException.UNKNOWN_SIZE);
      }
      if (!collected.hasRoomFor(size)) {
        throw head.violation("sent more bytes than fit into one array");
      }
      collected.add(part, (int) (first - position), size);
    }
    position += count;
  }

  /** Makes room for {@code size} bytes of a value of unknown size. */
  private void forgetAllButTheSuffix(int size) {
    if (range.last() < BodyBuffer.MAX_SIZE / 4
        && collected.size() + size > 4 * range.last() + size) {
      collected.keepLast((int) range.last());
    }
  }

  private boolean isRestSkipped() {
    return from >= 0
        && to >= 0
        && position >= to
        && (head.end() < 0 || !BodyDrain.isWorth(head.end() - position));
  }

  private Bytes result() {
    boolean cut = head.end() >= 0 && position < head.end();
    if (from < 0) {
      Bytes all = collected.bytes();
      int size = (int) Math.min(all.size(), range.last());
      return all.slice(all.size() - size, size);
    }
    boolean complete = to < 0 ? !cut && next() <= position : next() == to;
    if (complete) {
      return collected.bytes();
    }
    if (cut) {
      throw new TransientStoreException(
          head.url() + " sent " + position + " bytes of " + head.end(),
          Location.ofKey(head.key().value()));
    }
    throw range.tooShort(head.key(), position);
  }

  /** One body for one subscriber: a part that arrives passes no other operator. */
  private final class Collection implements CoreSubscriber<ByteBuffer>, Subscription {
    private static final int WAITING = 0;
    private static final int DEMANDED = 1;
    private static final int READY = 2;
    private static final int OVER = 3;

    private final CoreSubscriber<? super Bytes> subscriber;
    private final AtomicInteger state = new AtomicInteger(WAITING);
    private @Nullable Subscription body;
    private boolean ended;
    private volatile @Nullable Bytes result;

    Collection(CoreSubscriber<? super Bytes> subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public Context currentContext() {
      return subscriber.currentContext();
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      if (Operators.validate(body, subscription)) {
        body = subscription;
        subscriber.onSubscribe(this);
        subscription.request(Long.MAX_VALUE);
      }
    }

    @Override
    public void onNext(ByteBuffer part) {
      if (ended) {
        return;
      }
      try {
        add(part);
      } catch (RuntimeException e) {
        cancelBody();
        onError(e);
        return;
      }
      if (isRestSkipped()) {
        cancelBody();
        onComplete();
      }
    }

    @Override
    public void onError(Throwable error) {
      if (ended) {
        Operators.onErrorDropped(error, currentContext());
      } else if (isComplete() && !(error instanceof ZarrException)) {
        onComplete();
      } else {
        ended = true;
        state.set(OVER);
        subscriber.onError(error);
      }
    }

    @Override
    public void onComplete() {
      if (ended) {
        return;
      }
      ended = true;
      try {
        result = result();
      } catch (RuntimeException e) {
        state.set(OVER);
        subscriber.onError(e);
        return;
      }
      if (!state.compareAndSet(WAITING, READY)) {
        emit(DEMANDED);
      }
    }

    @Override
    public void request(long n) {
      if (Operators.validate(n) && !state.compareAndSet(WAITING, DEMANDED)) {
        emit(READY);
      }
    }

    private void emit(int from) {
      Bytes bytes = result;
      if (bytes != null && state.compareAndSet(from, OVER)) {
        subscriber.onNext(bytes);
        subscriber.onComplete();
      }
    }

    @Override
    public void cancel() {
      state.set(OVER);
      cancelBody();
    }

    private void cancelBody() {
      Subscription known = body;
      if (known != null) {
        known.cancel();
      }
    }
  }
}
