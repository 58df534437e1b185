package dev.zarrreactive.faults;

import dev.zarrreactive.faults.Behaviour.Ending;
import dev.zarrreactive.store.Bytes;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Something that goes wrong with a request. Faults are put together: {@code
 * cutAfter(100).times(1).and(delay(ofMillis(50)))}. Called once for each request, by several
 * threads.
 */
@FunctionalInterface
public interface Fault {
  /** Nothing goes wrong. */
  Fault NONE = (asked, behaviour) -> behaviour;

  /** What the server does with {@code asked} instead of {@code behaviour}. */
  Behaviour apply(ReceivedRequest asked, Behaviour behaviour);

  /** The answer comes late. */
  static Fault delay(Duration time) {
    return (asked, behaviour) -> behaviour.withDelay(time);
  }

  /** The body comes slowly. */
  static Fault bytesPerSecond(long speed) {
    return (asked, behaviour) -> behaviour.withBytesPerSecond(speed);
  }

  /** The connection closes, and there was no answer. */
  static Fault closed() {
    return (asked, behaviour) -> behaviour.withEnding(Ending.CUT, Behaviour.BEFORE_THE_HEAD);
  }

  /** The connection is reset, and there was no answer. */
  static Fault reset() {
    return (asked, behaviour) -> behaviour.withEnding(Ending.RESET, Behaviour.BEFORE_THE_HEAD);
  }

  /** The connection closes after so many bytes of the body. */
  static Fault cutAfter(long bytes) {
    return (asked, behaviour) -> behaviour.withEnding(Ending.CUT, bytes);
  }

  /**
   * The connection is reset after so many bytes of the body; who has not read them yet may never
   * see them, nor the head.
   */
  static Fault resetAfter(long bytes) {
    return (asked, behaviour) -> behaviour.withEnding(Ending.RESET, bytes);
  }

  /** Nothing comes any more after so many bytes of the body. */
  static Fault stallAfter(long bytes) {
    return (asked, behaviour) -> behaviour.withEnding(Ending.STALL, bytes);
  }

  /** No answer ever comes. */
  static Fault silence() {
    return delay(Duration.ofDays(1));
  }

  /**
   * Another status instead of the answer.
   *
   * @param retryAfter the header {@code Retry-After}; null for none
   */
  static Fault status(int status, @Nullable String retryAfter) {
    ServerResponse answer =
        ServerResponse.of(status, Bytes.utf8("answered " + status)).with("retry-after", retryAfter);
    return (asked, behaviour) -> behaviour.withInstead(answer);
  }

  /** A redirect instead of the answer. */
  static Fault redirect(int status, String location) {
    ServerResponse answer = ServerResponse.of(status, Bytes.EMPTY).with("location", location);
    return (asked, behaviour) -> behaviour.withInstead(answer);
  }

  /** A range is answered with the whole value. */
  static Fault ignoreRange() {
    return (asked, behaviour) -> behaviour.ignoringRange();
  }

  /** Conditions on the version are not looked at. */
  static Fault ignoreConditions() {
    return (asked, behaviour) -> behaviour.ignoringConditions();
  }

  /** The answer does not say how long it is. */
  static Fault noLength() {
    return (asked, behaviour) -> behaviour.withoutLength();
  }

  /** Another header; none where the value is null. */
  static Fault header(String name, @Nullable String value) {
    return (asked, behaviour) -> behaviour.withHeader(name, value);
  }

  /** A lie about where the body is from. */
  static Fault contentRange(String value) {
    return header("content-range", value);
  }

  /** Each answer has another ETag, as if the value changed all the time. */
  static Fault changingTags() {
    return (asked, behaviour) -> behaviour.withHeader("etag", "\"" + asked.number() + "\"");
  }

  /** Another answer in the place of the one that is given; where that is an error, it stays. */
  static Fault answer(UnaryOperator<ServerResponse> other) {
    return (asked, behaviour) ->
        behaviour.withChange(
            answer -> answer.map(given -> given.status() < 300 ? other.apply(given) : given));
  }

  /** Other bytes in the place of those that are wanted. */
  static Fault body(UnaryOperator<Bytes> other) {
    return answer(
        given ->
            given.body().size() == 0
                ? given
                : new ServerResponse(given.status(), given.headers(), other.apply(given.body()))
                    .with("content-length", null));
  }

  /** Something happens after the question has come and before it is answered. */
  static Fault before(Mono<Void> event) {
    return (asked, behaviour) -> behaviour.withChange(event::then);
  }

  /** This fault and, on top of it, another. */
  default Fault and(Fault other) {
    return (asked, behaviour) -> other.apply(asked, apply(asked, behaviour));
  }

  /** This fault only where the request is such. */
  default Fault where(Predicate<ReceivedRequest> condition) {
    return (asked, behaviour) -> condition.test(asked) ? apply(asked, behaviour) : behaviour;
  }

  /** This fault only for requests with such a method. */
  default Fault ofMethod(String method) {
    return where(asked -> asked.method().equals(method));
  }

  /** This fault the first {@code times} times that it could happen. */
  default Fault times(long times) {
    AtomicLong left = new AtomicLong(times);
    return (asked, behaviour) -> {
      Behaviour changed = apply(asked, behaviour);
      return changed.equals(behaviour) || left.getAndDecrement() <= 0 ? behaviour : changed;
    };
  }

  /** This fault now and then: the same requests with the same seed, if they come in one order. */
  default Fault withProbability(double probability, long seed) {
    Random random = new Random(seed);
    return where(asked -> random.nextDouble() < probability);
  }
}
