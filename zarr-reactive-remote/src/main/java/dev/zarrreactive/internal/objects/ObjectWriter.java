package dev.zarrreactive.internal.objects;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.Version;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Writes values: small ones with one request, large ones in parts. A conditional write is one
 * request of any size, unless the server checks the condition of an upload in parts.
 */
public final class ObjectWriter {
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
    /** Writes a value with one request. Errors are of the client. */
    Mono<Void> put(StoreKey key, List<Bytes> value, WriteCondition condition);

    /** Writes a value in parts. Errors are of the client, or of {@code parts}. */
    Mono<Void> upload(StoreKey key, Publisher<ValuePart> parts, WriteCondition condition);

    /** Returns the tag of a version as a condition has it; null where it has none to compare. */
    @Nullable String tag(Version version);

    /** Returns what {@link #tag} finds, such as {@code a strong ETag}. */
    String tagName();

    /** Returns the answer that the condition does not hold; null for any other error. */
    @Nullable String refusal(WriteCondition condition, Throwable error);

    /** Returns the error of the store for one of the client. */
    Throwable located(StoreKey key, Throwable error);
  }

  /** Writes the value, where the precondition holds. */
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return conditional(
        key,
        precondition,
        condition ->
            mayBeInParts(precondition) && value.size() > limits.threshold()
                ? requests.upload(key, ValuePart.of(value, limits.partSize()), condition)
                : requests.put(key, List.of(value), condition));
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
                              ? requests.put(key, first.pieces(), condition)
                              : requests.upload(key, all, condition);
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
    WriteCondition condition = new WriteCondition(precondition, tag);
    return write
        .apply(condition)
        .onErrorMap(e -> !(e instanceof SourceError), e -> error(key, condition, e));
  }

  private Throwable error(StoreKey key, WriteCondition condition, Throwable error) {
    String refusal = condition.isNone() ? null : requests.refusal(condition, error);
    return refusal == null ? requests.located(key, error) : condition.failed(key, refusal);
  }
}
