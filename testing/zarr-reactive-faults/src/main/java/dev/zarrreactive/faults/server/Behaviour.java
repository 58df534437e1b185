package dev.zarrreactive.faults.server;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The behaviour of the server for one request. Immutable.
 *
 * @param delay before the head of the response
 * @param bytesPerSecond of the body; 0 for full speed
 * @param ending of the body
 * @param endingAfter the number of bytes of the body before the ending, or {@link #BEFORE_THE_HEAD}
 * @param instead another response; null for the response of the origin
 * @param ignoresRange true where the server answers a range with the whole value
 * @param ignoresConditions true where the server ignores {@code If-Match} and {@code If-None-Match}
 * @param knowsLength false for a response without {@code Content-Length}
 * @param headers added to the response, by their names in lower case; an empty one is removed
 * @param change applied to the response, of the origin or another
 */
public record Behaviour(
    Duration delay,
    long bytesPerSecond,
    Ending ending,
    long endingAfter,
    @Nullable ServerResponse instead,
    boolean ignoresRange,
    boolean ignoresConditions,
    boolean knowsLength,
    Map<String, Optional<String>> headers,
    UnaryOperator<Mono<ServerResponse>> change) {
  /** A server without faults. */
  public static final Behaviour GOOD =
      new Behaviour(
          Duration.ZERO,
          0,
          Ending.WHOLE,
          Long.MAX_VALUE,
          null,
          false,
          false,
          true,
          Map.of(),
          UnaryOperator.identity());

  /** An ending without a response: not even a status. */
  public static final long BEFORE_THE_HEAD = -1;

  /** The ending of a body. */
  public enum Ending {
    /** The last byte. */
    WHOLE,
    /** A close of the connection, or of the stream of HTTP/2, before the last byte. */
    CUT,
    /** A reset of the connection, over HTTP/2 with all its streams, before the last byte. */
    RESET,
    /** A stall: the connection stays open without another byte. */
    STALL
  }

  /** The fields of a changed copy, at first those of the original. */
  private static final class Copy {
    private Duration delay;
    private long bytesPerSecond;
    private Ending ending;
    private long endingAfter;
    private @Nullable ServerResponse instead;
    private boolean ignoresRange;
    private boolean ignoresConditions;
    private boolean knowsLength;
    private Map<String, Optional<String>> headers;
    private UnaryOperator<Mono<ServerResponse>> change;

    Copy(Behaviour original) {
      delay = original.delay;
      bytesPerSecond = original.bytesPerSecond;
      ending = original.ending;
      endingAfter = original.endingAfter;
      instead = original.instead;
      ignoresRange = original.ignoresRange;
      ignoresConditions = original.ignoresConditions;
      knowsLength = original.knowsLength;
      headers = original.headers;
      change = original.change;
    }
  }

  private Behaviour with(Consumer<Copy> changed) {
    Copy copy = new Copy(this);
    changed.accept(copy);
    return new Behaviour(
        copy.delay,
        copy.bytesPerSecond,
        copy.ending,
        copy.endingAfter,
        copy.instead,
        copy.ignoresRange,
        copy.ignoresConditions,
        copy.knowsLength,
        copy.headers,
        copy.change);
  }

  /** Returns this behaviour after a delay. */
  public Behaviour withDelay(Duration time) {
    return with(copy -> copy.delay = time);
  }

  /** Returns this behaviour at a speed. */
  public Behaviour withBytesPerSecond(long speed) {
    return with(copy -> copy.bytesPerSecond = speed);
  }

  /** Returns true where the ending comes before the response. */
  boolean isWithoutAnswer() {
    return endingAfter == BEFORE_THE_HEAD;
  }

  /** Returns this behaviour with another ending. */
  public Behaviour withEnding(Ending end, long afterBytes) {
    return with(
        copy -> {
          copy.ending = end;
          copy.endingAfter = afterBytes;
        });
  }

  /** Returns this behaviour with another response. */
  public Behaviour withInstead(ServerResponse answer) {
    return with(copy -> copy.instead = answer);
  }

  /** Returns this behaviour without ranges. */
  public Behaviour ignoringRange() {
    return with(copy -> copy.ignoresRange = true);
  }

  /** Returns this behaviour without conditions. */
  public Behaviour ignoringConditions() {
    return with(copy -> copy.ignoresConditions = true);
  }

  /** Returns this behaviour without the length of the body. */
  public Behaviour withoutLength() {
    return with(copy -> copy.knowsLength = false);
  }

  /** Returns this behaviour with a header, or without it for null. */
  public Behaviour withHeader(String name, @Nullable String value) {
    Map<String, Optional<String>> more = new LinkedHashMap<>(headers);
    more.put(name, Optional.ofNullable(value));
    return with(copy -> copy.headers = more);
  }

  /** Returns this behaviour with one more change of the response. */
  public Behaviour withChange(UnaryOperator<Mono<ServerResponse>> more) {
    return with(copy -> copy.change = answer -> more.apply(change.apply(answer)));
  }

  /** Returns a response with the headers of this behaviour. */
  ServerResponse dress(ServerResponse answer) {
    ServerResponse dressed = answer;
    for (Map.Entry<String, Optional<String>> header : headers.entrySet()) {
      dressed = dressed.with(header.getKey(), header.getValue().orElse(null));
    }
    return dressed;
  }
}
