package dev.zarrreactive.faults.server;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.faults.server.Behaviour.Ending;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A fault of the server at a request. Faults are composed: {@code
 * cutAfter(100).times(1).and(delay(ofMillis(50)))}. Several threads call it, once for each request.
 */
@FunctionalInterface
public interface Fault {
  /** No fault. */
  Fault NONE = (asked, behaviour) -> behaviour;

  /** Returns the behaviour of the server for {@code asked} instead of {@code behaviour}. */
  Behaviour apply(ReceivedRequest asked, Behaviour behaviour);

  /** Delays the response. */
  static Fault delay(Duration time) {
    return (asked, behaviour) -> behaviour.withDelay(time);
  }

  /** Slows down the body. */
  static Fault bytesPerSecond(long speed) {
    return (asked, behaviour) -> behaviour.withBytesPerSecond(speed);
  }

  /** Closes the connection without a response. */
  static Fault closed() {
    return (asked, behaviour) -> behaviour.withEnding(Ending.CUT, Behaviour.BEFORE_THE_HEAD);
  }

  /** Resets the connection without a response. */
  static Fault reset() {
    return (asked, behaviour) -> behaviour.withEnding(Ending.RESET, Behaviour.BEFORE_THE_HEAD);
  }

  /** Closes the connection after {@code bytes} of the body. */
  static Fault cutAfter(long bytes) {
    return (asked, behaviour) -> behaviour.withEnding(Ending.CUT, bytes);
  }

  /**
   * Resets the connection after {@code bytes} of the body. A client that is slow to read may lose
   * them, and the head.
   */
  static Fault resetAfter(long bytes) {
    return (asked, behaviour) -> behaviour.withEnding(Ending.RESET, bytes);
  }

  /** Stalls after {@code bytes} of the body. */
  static Fault stallAfter(long bytes) {
    return (asked, behaviour) -> behaviour.withEnding(Ending.STALL, bytes);
  }

  /** Stalls before the response. */
  static Fault silence() {
    return delay(Duration.ofDays(1));
  }

  /**
   * Answers with another status.
   *
   * @param retryAfter the header {@code Retry-After}; null for none
   */
  static Fault status(int status, @Nullable String retryAfter) {
    ServerResponse answer =
        ServerResponse.of(status, Bytes.utf8("answered " + status)).with("retry-after", retryAfter);
    return (asked, behaviour) -> behaviour.withInstead(answer);
  }

  /** Answers with a redirect. */
  static Fault redirect(int status, String location) {
    ServerResponse answer = ServerResponse.of(status, Bytes.EMPTY).with("location", location);
    return (asked, behaviour) -> behaviour.withInstead(answer);
  }

  /** Answers a range with the whole value. */
  static Fault ignoreRange() {
    return (asked, behaviour) -> behaviour.ignoringRange();
  }

  /** Ignores conditions on the version. */
  static Fault ignoreConditions() {
    return (asked, behaviour) -> behaviour.ignoringConditions();
  }

  /** Omits the length of the response. */
  static Fault noLength() {
    return (asked, behaviour) -> behaviour.withoutLength();
  }

  /** Sets a header of the response, or removes it for null. */
  static Fault header(String name, @Nullable String value) {
    return (asked, behaviour) -> behaviour.withHeader(name, value);
  }

  /** Sends a wrong {@code Content-Range}. */
  static Fault contentRange(String value) {
    return header("content-range", value);
  }

  /** Sends another ETag with each response, as if the value changed all the time. */
  static Fault changingTags() {
    return (asked, behaviour) -> behaviour.withHeader("etag", "\"" + asked.number() + "\"");
  }

  /** Changes a successful response. */
  static Fault answer(UnaryOperator<ServerResponse> other) {
    return (asked, behaviour) ->
        behaviour.withChange(
            answer -> answer.map(given -> given.status() < 300 ? other.apply(given) : given));
  }

  /** Changes the body of a successful response. */
  static Fault body(UnaryOperator<Bytes> other) {
    return answer(
        given ->
            given.body().size() == 0
                ? given
                : new ServerResponse(given.status(), given.headers(), other.apply(given.body()))
                    .with("content-length", null));
  }

  /** Runs an event between the request and its response. */
  static Fault before(Mono<Void> event) {
    return (asked, behaviour) -> behaviour.withChange(event::then);
  }

  /** Holds responses until {@code requests} have arrived, so that each has its own connection. */
  static Fault together(int requests) {
    AtomicInteger missing = new AtomicInteger(requests);
    Sinks.Empty<Void> all = Sinks.empty();
    return before(
        Mono.defer(
            () -> {
              if (missing.decrementAndGet() == 0) {
                all.tryEmitEmpty();
              }
              return all.asMono();
            }));
  }

  /** Returns this fault and, on top of it, another. */
  default Fault and(Fault other) {
    return (asked, behaviour) -> other.apply(asked, apply(asked, behaviour));
  }

  /** Returns this fault for matching requests only. */
  default Fault where(Predicate<ReceivedRequest> condition) {
    return (asked, behaviour) -> condition.test(asked) ? apply(asked, behaviour) : behaviour;
  }

  /** Returns this fault for requests of a method only. */
  default Fault ofMethod(String method) {
    return where(asked -> asked.method().equals(method));
  }

  /** Returns this fault for the first {@code times} requests only. */
  default Fault times(long times) {
    AtomicLong left = new AtomicLong(times);
    return (asked, behaviour) -> {
      Behaviour changed = apply(asked, behaviour);
      return changed.equals(behaviour) || left.getAndDecrement() <= 0 ? behaviour : changed;
    };
  }

  /**
   * Returns this fault at random: for the same requests with the same seed, if they come in one
   * order.
   */
  default Fault withProbability(double probability, long seed) {
    Random random = new Random(seed);
    return where(asked -> random.nextDouble() < probability);
  }
}
