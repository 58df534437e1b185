package dev.zarrreactive.internal.transfer;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.error.ValueTooLargeException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.Bytes;
import java.nio.ByteBuffer;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The wanted bytes of a value as they arrive, over one body or, where it is cut, several. Of a body
 * that holds more, the bytes before are dropped and those behind are not waited for.
 */
public final class BodyReading {
  /** Of a body that is not needed any more, so much is read to save its connection. */
  private static final long WORTH_DRAINING = 64 << 10;

  private final Wanted wanted;
  private final Gathering gathered;

  /** Where the wanted bytes begin and end in the value; -1 where that is not known yet. */
  private final long from;

  private final long to;
  private BodyHead head;

  /** Where the next byte that arrives belongs in the value. */
  private long position;

  private long resumedAt = -1;

  /**
   * Begins to read.
   *
   * @throws ValueTooLargeException where the value is larger than it may be, before any of it is
   *     collected; a value of unknown size ends in that error when it has passed the bound
   * @throws StoreException where the answer is not what was asked for
   */
  public BodyReading(BodyHead head, Wanted wanted) {
    this.wanted = wanted;
    this.head = head;
    if (head.partial()) {
      check();
    }
    long size = head.partial() ? head.end() : head.total();
    boolean endIsKnown = !wanted.isSuffix() || size >= 0;
    this.from =
        wanted.isSuffix() && endIsKnown
            ? (head.partial() ? head.offset() : Math.max(0, size - wanted.last()))
            : wanted.offset();
    this.to = wanted.end() >= 0 ? wanted.end() : size;
    if (!head.partial() && size >= 0 && endIsKnown && (from > size || to > size)) {
      throw wanted.tooShort(head.key(), size);
    }
    if (size > wanted.most()) {
      throw wanted.tooLarge(head.key(), size);
    }
    if (to - from > Gathering.MOST) {
      throw new StoreException(
          "a value of " + (to - from) + " bytes does not fit into one array",
          Location.ofKey(head.key().value()));
    }
    this.position = head.offset();
    this.gathered = new Gathering(to < 0 ? -1 : to - from, wanted.most());
  }

  /** A 206 must be what was asked for: no byte more, no byte less, but for the end of the value. */
  private void check() {
    boolean toTheEnd = head.end() == head.total();
    if (wanted.header() == null) {
      throw head.violation("answered 206 to a request without a range");
    }
    boolean right;
    if (wanted.isSuffix()) {
      long length = Math.min(wanted.last(), head.total());
      right = toTheEnd && head.end() - head.offset() == length;
    } else if (wanted.end() < 0) {
      right = toTheEnd && head.offset() == wanted.offset();
    } else {
      if (head.offset() == wanted.offset() && head.end() < wanted.end() && toTheEnd) {
        throw wanted.tooShort(head.key(), head.total());
      }
      right = head.offset() == wanted.offset() && head.end() == wanted.end();
    }
    if (!right) {
      throw head.violation("answered " + head.shown() + ", wanted " + wanted);
    }
  }

  /** The wanted bytes, when the last of them is here. */
  public Mono<Bytes> read(Flux<ByteBuffer> content) {
    return content
        .doOnNext(this::take)
        .takeUntil(part -> isEnough())
        .onErrorResume(e -> isComplete() && !(e instanceof ZarrException), e -> Mono.empty())
        .then(Mono.defer(() -> Mono.just(result())));
  }

  /** True where what is wanted is here, whatever becomes of the rest of the body. */
  private boolean isComplete() {
    return from >= 0 && to >= 0 && next() == to;
  }

  /** Goes on with another body, of the same version. */
  public Mono<Bytes> goOn(BodyHead next, Flux<ByteBuffer> content) {
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
      throw next.violation("answered " + next.shown() + ", wanted " + rest());
    }
    head = next;
    position = next.offset();
    return read(content);
  }

  /**
   * True where what follows can be asked for, and more of the value came since it was asked for the
   * last time. The first time nothing need have come: a reset may take what was sent before it.
   */
  public boolean canResume() {
    return head.version() != null && from >= 0 && next() > resumedAt && !isComplete();
  }

  /** The header {@code Range} for what is missing. */
  public String rest() {
    resumedAt = next();
    return "bytes=" + resumedAt + "-" + (to < 0 ? "" : to - 1);
  }

  /** What the reading began with, or went on with. */
  public BodyHead head() {
    return head;
  }

  private long next() {
    return from + gathered.size();
  }

  private void take(ByteBuffer part) {
    int count = part.remaining();
    if (head.end() >= 0 && count > head.end() - position) {
      throw head.violation("sent more bytes than it said");
    }
    long first = from < 0 ? position : Math.max(position, next());
    long last = to < 0 ? position + count : Math.min(position + count, to);
    if (first < last) {
      int size = (int) (last - first);
      if (from < 0) {
        makeRoomFor(size);
      }
      if (size > wanted.most() - gathered.size()) {
        throw wanted.tooLarge(head.key(), ValueTooLargeException.UNKNOWN_SIZE);
      }
      if (!gathered.hasRoomFor(size)) {
        throw head.violation("sent more bytes than fit into one array");
      }
      gathered.add(part, (int) (first - position), size);
    }
    position += count;
  }

  /** Only the last bytes are wanted, and nobody knows yet which these are. */
  private void makeRoomFor(int size) {
    if (wanted.last() < Gathering.MOST / 4 && gathered.size() + size > 4 * wanted.last() + size) {
      gathered.keepLast((int) wanted.last());
    }
  }

  /** True where the wanted bytes are here and the rest is too long to be worth reading. */
  private boolean isEnough() {
    return from >= 0
        && to >= 0
        && position >= to
        && (head.end() < 0 || head.end() - position > WORTH_DRAINING);
  }

  private Bytes result() {
    boolean cut = head.end() >= 0 && position < head.end();
    if (from < 0) {
      Bytes all = gathered.bytes();
      int size = (int) Math.min(all.size(), wanted.last());
      return all.slice(all.size() - size, size);
    }
    boolean complete = to < 0 ? !cut && next() <= position : next() == to;
    if (complete) {
      return gathered.bytes();
    }
    if (cut) {
      throw new TransientStoreException(
          head.url() + " sent " + position + " bytes of " + head.end(),
          Location.ofKey(head.key().value()));
    }
    throw wanted.tooShort(head.key(), position);
  }
}
