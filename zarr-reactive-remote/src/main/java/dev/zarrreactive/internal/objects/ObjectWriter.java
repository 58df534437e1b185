package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.sharing.OwnSettlement;
import dev.zarrreactive.internal.sharing.UploadRetries;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import java.net.ConnectException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes values: small ones with one request, large ones in parts. A conditional write is one
 * request of any size, unless the server checks the condition of an upload in parts.
 *
 * <p>A conditional write leaves a mark in the metadata of its value. After an answer that was lost,
 * or a refusal, one more request looks at the stored value, which tells by its mark whose it is. So
 * a conditional write may be sent again, where a decorator has asked for that: the condition
 * refuses the second one if the first was late, and the mark tells that it was.
 */
public final class ObjectWriter {
  /** The causes of an error that are looked at: causes may form a circle. */
  private static final int MOST_CAUSES = 8;

  private final Requests requests;
  private final Limits limits;

  /** A writer of one store. */
  public ObjectWriter(Requests requests, Limits limits) {
    this.requests = requests;
    this.limits = limits;
  }

  /**
   * The sizes of requests.
   *
   * @param threshold a larger value at hand is written in parts
   * @param partSize of each part but the last, and of the largest streamed value in one request
   * @param conditionalParts true where the server checks the condition of an upload in parts
   */
  public record Limits(long threshold, int partSize, boolean conditionalParts) {}

  /** The requests of one service. */
  public interface Requests {
    /**
     * Writes a value with one request, and with the {@linkplain WriteCondition#mark mark} of its
     * condition as its metadata. Errors are of the client.
     */
    Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition);

    /**
     * Writes a value in parts, and with the mark of its condition. Errors are of the client, or of
     * {@code parts}.
     */
    Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition);

    /** Looks at the stored value; empty where there is none. Errors are of the client. */
    Mono<Stored> look(StoreKey key);

    /** Returns true for the error of a request that the server cannot have carried out. */
    default boolean isUnsent(Throwable error) {
      return false;
    }

    /** Returns the tag of a version as a condition has it; null where it has none to compare. */
    @Nullable String tag(Version version);

    /** Returns what {@link #tag} finds, such as {@code a strong ETag}. */
    String tagName();

    /** Returns the answer that the condition does not hold; null for any other error. */
    @Nullable String refusal(WriteCondition condition, Throwable error);

    /** Returns the error of the store for one of the client. */
    Throwable located(StoreKey key, Throwable error);
  }

  /**
   * A stored value.
   *
   * @param tag as a condition has it; null where the server tells none
   * @param mark what the last conditional write has left; null where no such write made the value
   */
  public record Stored(@Nullable String tag, @Nullable String mark) {}

  /** Writes the value, where the precondition holds. */
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return conditional(
        key,
        precondition,
        condition ->
            mayBeInParts(precondition) && value.size() > limits.threshold()
                ? upload(key, ValuePart.of(value, limits.partSize()), condition)
                : put(key, List.of(value), condition));
  }

  /** Returns true if the value may be written in parts. */
  public boolean mayBeInParts(Precondition precondition) {
    return precondition.equals(Precondition.NONE) || limits.conditionalParts();
  }

  /**
   * Writes a value that arrives in pieces: with one request if it is no larger than one part, else
   * in parts. Holds the parts in flight and the one that is being filled.
   */
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    Flux<ValuePart> parts =
        ValuePart.of(Flux.from(pieces).onErrorMap(SourceError::new), limits.partSize());
    return conditional(
            key,
            precondition,
            condition ->
                parts
                    .switchOnFirst(
                        (signal, all) -> {
                          ValuePart first = signal.get();
                          return first != null && first.isLast()
                              ? put(key, first.pieces(), condition)
                              : upload(key, all, condition);
                        })
                    .then())
        .onErrorMap(SourceError.class, SourceError::getCause);
  }

  /** An error of the source of the pieces, which is not an error of the client. */
  private static final class SourceError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SourceError(Throwable cause) {
      super(null, cause, false, false);
    }
  }

  private Mono<Void> conditional(
      StoreKey key, Precondition precondition, Function<WriteCondition, Mono<Void>> write) {
    Version version = precondition.version();
    String tag = version == null ? null : requests.tag(version);
    if (version != null && tag == null) {
      return Mono.error(
          () ->
              WriteCondition.failed(key, precondition, "a version without " + requests.tagName()));
    }
    return Mono.defer(
        () -> {
          WriteCondition condition = WriteCondition.of(precondition, tag);
          return write
              .apply(condition)
              .onErrorMap(e -> !(e instanceof SourceError), e -> error(key, condition, e));
        });
  }

  private Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition) {
    if (condition.isNone()) {
      return requests.put(key, value, condition);
    }
    Mono<Void> once = Mono.defer(() -> requests.put(key, value, condition));
    AtomicBoolean wasLost = new AtomicBoolean();
    return Mono.deferContextual(
        subscriber ->
            OwnSettlement.isIn(subscriber)
                ? once
                : UploadRetries.of(once.onErrorResume(e -> settle(key, condition, e, wasLost))));
  }

  private Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition) {
    Mono<Void> upload = requests.upload(key, parts, condition);
    return condition.isNone()
        ? upload
        : upload.onErrorResume(
            e -> !(e instanceof SourceError), e -> settle(key, condition, e, new AtomicBoolean()));
  }

  /**
   * Looks at the stored value after an answer that was lost. Also after a refusal: a proxy may have
   * sent the request twice. Completes where it is the value of this write.
   *
   * @param wasLost true after an earlier attempt that may have taken place
   */
  private Mono<Void> settle(
      StoreKey key, WriteCondition condition, Throwable failure, AtomicBoolean wasLost) {
    Throwable error = error(key, condition, failure);
    boolean isLost = error instanceof TransientStoreException;
    boolean isFirst = !wasLost.get();
    if (!(isLost || error instanceof PreconditionFailedException)
        || (isFirst && hadNoConnection(error))) {
      return Mono.error(error);
    }
    boolean cannotBeStored = isFirst && requests.isUnsent(failure);
    wasLost.set(!isFirst || (isLost && !cannotBeStored));
    return requests
        .look(key)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .onErrorMap(e -> unknown(error, "the store could not look at the value"))
        .flatMap(
            found -> {
              String tag = found.map(Stored::tag).orElse(null);
              String mark = found.map(Stored::mark).orElse(null);
              if (condition.mark().equals(mark)) {
                return Mono.empty();
              }
              if (condition.isMetBy(tag)) {
                return Mono.error(error);
              }
              return Mono.error(
                  cannotBeStored || condition.isLostTo(mark)
                      ? condition.failed(
                          key, "lost, and the stored version is " + (tag == null ? "none" : tag))
                      : unknown(error, "the value was changed again by another program"));
            });
  }

  private static boolean hadNoConnection(Throwable error) {
    return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .anyMatch(ConnectException.class::isInstance);
  }

  /** Says so of an answer that was lost; a refusal stays what it is. */
  private static Throwable unknown(Throwable error, String why) {
    if (!(error instanceof TransientStoreException lost)) {
      return error;
    }
    String statement = lost.statement() + "; whether the value was written is unknown: " + why;
    return lost.retryAfter() == null
        ? new TransientStoreException(statement, lost.location(), lost)
        : new TransientStoreException(statement, lost.location(), lost.retryAfter());
  }

  private Throwable error(StoreKey key, WriteCondition condition, Throwable error) {
    String refusal = condition.isNone() ? null : requests.refusal(condition, error);
    return refusal == null ? requests.located(key, error) : condition.failed(key, refusal);
  }
}
