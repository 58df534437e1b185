package dev.zarrreactive.faults;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What the server does with one request. Immutable.
 *
 * @param delay how long it waits before the head of the answer
 * @param bytesPerSecond how fast the body goes; 0 for as fast as it can
 * @param ending how the body ends
 * @param endingAfter after how many bytes of the body that is, or {@link #BEFORE_THE_HEAD}
 * @param instead what is answered instead; null for what the origin says
 * @param ignoresRange true where a range is answered with the whole value
 * @param ignoresConditions true where {@code If-Match} and {@code If-None-Match} are not looked at
 * @param knowsLength false where the answer has no {@code Content-Length}
 * @param headers headers that are put into the answer, by their names in lower case; an empty one
 *     is taken out
 * @param change what becomes of the answer, whether it is the origin's or another
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

  /** There is no answer at all: not even a status. */
  public static final long BEFORE_THE_HEAD = -1;

  /** How a body ends. */
  public enum Ending {
    /** With its last byte. */
    WHOLE,
    /** Before; the connection, or the stream of HTTP/2, is closed. */
    CUT,
    /** Before; the connection is reset, over HTTP/2 with all its streams. */
    RESET,
    /** Never: nothing more comes, and nothing is closed. */
    STALL
  }

  /** What a changed copy is made from; at first as the original is. */
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

  /** This, after a wait. */
  public Behaviour withDelay(Duration time) {
    return with(copy -> copy.delay = time);
  }

  /** This, at a speed. */
  public Behaviour withBytesPerSecond(long speed) {
    return with(copy -> copy.bytesPerSecond = speed);
  }

  /** True where the end comes before the answer. */
  boolean isWithoutAnswer() {
    return endingAfter == BEFORE_THE_HEAD;
  }

  /** This, with another end. */
  public Behaviour withEnding(Ending end, long afterBytes) {
    return with(
        copy -> {
          copy.ending = end;
          copy.endingAfter = afterBytes;
        });
  }

  /** This, with another answer. */
  public Behaviour withInstead(ServerResponse answer) {
    return with(copy -> copy.instead = answer);
  }

  /** This, without ranges. */
  public Behaviour ignoringRange() {
    return with(copy -> copy.ignoresRange = true);
  }

  /** This, without conditions. */
  public Behaviour ignoringConditions() {
    return with(copy -> copy.ignoresConditions = true);
  }

  /** This, without a word on how long the body is. */
  public Behaviour withoutLength() {
    return with(copy -> copy.knowsLength = false);
  }

  /** This, with a header; without it where the value is null. */
  public Behaviour withHeader(String name, @Nullable String value) {
    Map<String, Optional<String>> more = new LinkedHashMap<>(headers);
    more.put(name, Optional.ofNullable(value));
    return with(copy -> copy.headers = more);
  }

  /** This, with an answer that is changed once more. */
  public Behaviour withChange(UnaryOperator<Mono<ServerResponse>> more) {
    return with(copy -> copy.change = answer -> more.apply(change.apply(answer)));
  }

  /** The answer with the headers of this. */
  ServerResponse dress(ServerResponse answer) {
    ServerResponse dressed = answer;
    for (Map.Entry<String, Optional<String>> header : headers.entrySet()) {
      dressed = dressed.with(header.getKey(), header.getValue().orElse(null));
    }
    return dressed;
  }
}
