package dev.zarrreactive.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Conditional writes whose answers are lost: the store finds out by the mark in the metadata of the
 * value whether the write has taken place. Extend this class in the tests of a store over a network
 * whose values have metadata.
 */
@ExtendWith(NoLeaks.class)
public abstract class LostAnswers {
  private static final StoreKey KEY = StoreKey.of("a/c/0");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Bytes OLD = Bytes.utf8("old");
  private static final Bytes MINE = Bytes.utf8("mine");
  private static final Bytes OTHER = Bytes.utf8("another");

  /** The server does what it was asked for, and its answer becomes a 503. */
  private static final Fault LOST =
      Fault.answer(good -> ServerResponse.of(503, Bytes.EMPTY)).ofMethod("PUT");

  private FaultyServer server;
  private Store direct;
  private Store store;

  /** For subclasses. */
  protected LostAnswers() {}

  @BeforeEach
  final void open() {
    server = serve();
    direct = direct();
    store = store(server);
  }

  /** Starts a proxy before the server. */
  protected abstract FaultyServer serve();

  /** Returns a store over the server itself, in a container of its own. */
  protected abstract Store direct();

  /** Returns the same store through the proxy, with parts of {@link #part} bytes. */
  protected abstract Store store(FaultyServer server);

  /** The size of a part that the server takes. */
  protected abstract int part();

  @AfterEach
  final void close() {
    await(store.close());
    await(direct.close());
    server.close();
  }

  private static <T> @Nullable T await(Mono<T> mono) {
    return mono.subscribeOn(Schedulers.parallel()).block(PATIENCE);
  }

  private static Throwable errorOf(Mono<?> mono) {
    return catchThrowable(() -> await(mono));
  }

  private List<String> requests() {
    return server.requests().stream().map(ReceivedRequest::method).toList();
  }

  private Version version() {
    return Objects.requireNonNull(
        Objects.requireNonNull(await(direct.getVersioned(KEY, null, ReadCondition.ALWAYS)))
            .version());
  }

  private Precondition old() {
    await(direct.set(KEY, OLD));
    return Precondition.matches(version());
  }

  private Bytes stored() {
    return Objects.requireNonNull(await(direct.get(KEY)));
  }

  /** Writes directly, on condition of the version of then. */
  private Mono<Void> change(Bytes value) {
    return direct
        .getVersioned(KEY, null, ReadCondition.ALWAYS)
        .flatMap(
            now ->
                direct.set(
                    KEY, value, Precondition.matches(Objects.requireNonNull(now.version()))));
  }

  @Test
  void a_write_that_is_answered_takes_one_request() {
    await(store.set(KEY, MINE, Precondition.ABSENT));
    await(store.set(KEY, OTHER, Precondition.matches(version())));
    assertThat(requests()).containsExactly("PUT", "PUT");
  }

  @Test
  void a_write_whose_answer_is_lost_is_found() {
    server.misbehave(LOST.times(1));
    await(store.set(KEY, MINE, Precondition.ABSENT));
    assertThat(requests()).containsExactly("PUT", "HEAD");
    assertThat(stored()).isEqualTo(MINE);
    server.misbehave(LOST.times(1));
    await(store.set(KEY, OTHER, Precondition.matches(version())));
    assertThat(stored()).isEqualTo(OTHER);
  }

  @Test
  void a_write_that_a_proxy_sends_twice_is_found() {
    Precondition old = old();
    server.misbehave(
        Fault.answer(good -> ServerResponse.of(412, Bytes.EMPTY)).ofMethod("PUT").times(1));
    await(store.set(KEY, MINE, old));
    assertThat(stored()).isEqualTo(MINE);
  }

  @Test
  void a_write_that_was_not_stored_may_pass_later() {
    Precondition old = old();
    server.misbehave(Fault.status(503, null).ofMethod("PUT").times(1));
    assertThat(errorOf(store.set(KEY, MINE, old)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageNotContaining("unknown");
    assertThat(requests()).containsExactly("PUT", "HEAD");
    assertThat(stored()).isEqualTo(OLD);
    await(store.set(KEY, MINE, old));
  }

  @Test
  void a_write_that_lost_to_another_one_says_so() {
    Precondition old = old();
    server.misbehave(Fault.status(503, null).ofMethod("PUT").times(1));
    await(change(OTHER));
    assertThat(errorOf(store.set(KEY, MINE, old)))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("wanted to change version");
    assertThat(stored()).isEqualTo(OTHER);
  }

  @Test
  void a_write_that_another_one_followed_is_unknown() {
    Precondition old = old();
    server.misbehave(
        (asked, behaviour) ->
            asked.method().equals("PUT")
                ? behaviour.withChange(
                    answer ->
                        answer
                            .flatMap(good -> change(OTHER))
                            .thenReturn(ServerResponse.of(503, Bytes.EMPTY)))
                : behaviour);
    assertThat(errorOf(store.set(KEY, MINE, old)))
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("whether the value was written is unknown");
    assertThat(stored()).isEqualTo(OTHER);
  }

  @Test
  void retries_repeat_a_conditional_write_until_it_is_stored_once() {
    Store retrying = Stores.retrying(store, RetryOptions.defaults());
    Precondition old = old();
    server.misbehave(Fault.status(503, null).ofMethod("PUT").times(1));
    await(retrying.set(KEY, MINE, old));
    assertThat(requests()).containsExactly("PUT", "HEAD", "PUT");
    assertThat(stored()).isEqualTo(MINE);
    server.forget();
    server.misbehave(Fault.status(503, null).ofMethod("HEAD").times(1).and(LOST.times(1)));
    await(retrying.set(KEY, OTHER, Precondition.matches(version())));
    assertThat(requests()).containsExactly("PUT", "HEAD", "PUT", "HEAD");
    assertThat(stored()).isEqualTo(OTHER);
  }

  @Test
  void a_large_value_whose_last_answer_is_lost_is_found() {
    byte[] bytes = new byte[2 * part()];
    new Random(1).nextBytes(bytes);
    Bytes large = Bytes.wrap(bytes);
    server.misbehave(
        (asked, behaviour) ->
            isEnd(asked)
                ? Fault.answer(good -> ServerResponse.of(503, Bytes.EMPTY)).apply(asked, behaviour)
                : behaviour);
    await(store.set(KEY, large, Precondition.ABSENT));
    assertThat(requests()).hasSizeGreaterThan(3).endsWith("HEAD");
    assertThat(stored()).isEqualTo(large);
  }

  /** Returns true for the request that makes parts a value. */
  protected abstract boolean isEnd(ReceivedRequest asked);
}
