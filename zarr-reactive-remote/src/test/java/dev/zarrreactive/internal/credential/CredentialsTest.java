package dev.zarrreactive.internal.credential;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** One look-up for all, ahead of the expiry, and never more of them than the back-off allows. */
class CredentialsTest {
  private static final Duration LIFE = Duration.ofMinutes(1);

  private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
  private final List<Sinks.One<ExpiringCredential>> lookUps = new ArrayList<>();
  private int cancelled;

  /** Credentials whose look-ups a test answers. */
  private final Credentials credentials =
      of(
          Mono.defer(
              () -> {
                Sinks.One<ExpiringCredential> answer = Sinks.one();
                lookUps.add(answer);
                return answer.asMono().doOnCancel(() -> cancelled++);
              }));

  private Credentials of(Mono<ExpiringCredential> source) {
    return new Credentials(CredentialSource.of("the vault", source), Duration.ofSeconds(30), time);
  }

  /** Credentials whose look-ups are answered at once, by their number from 1. */
  private Credentials answering(IntFunction<Mono<ExpiringCredential>> answers) {
    return of(
        Mono.defer(
            () -> {
              lookUps.add(Sinks.one());
              return answers.apply(lookUps.size());
            }));
  }

  private Instant now() {
    return Instant.ofEpochMilli(time.now(TimeUnit.MILLISECONDS));
  }

  private ExpiringCredential token(int number) {
    return ExpiringCredential.until(now().plus(LIFE), Credential.bearer("token-" + number));
  }

  private void answer(int number) {
    lookUps.get(number - 1).tryEmitValue(token(number)).orThrow();
  }

  /** A request, and what became of it. */
  private static final class Asked {
    private final Disposable subscription;
    private HeldCredential got;
    private Throwable error;
    private boolean isEmpty;

    private Asked(Mono<HeldCredential> asked) {
      subscription =
          asked.subscribe(held -> got = held, e -> error = e, () -> isEmpty = got == null);
    }

    private boolean has(int number) {
      return got != null && got.credential().equals(Credential.bearer("token-" + number));
    }

    private boolean waits() {
      return !subscription.isDisposed();
    }
  }

  private Asked ask() {
    return new Asked(credentials.current());
  }

  @Test
  void one_look_up_serves_all_requests_that_wait_and_those_that_follow() {
    Asked first = ask();
    Asked second = ask();
    assertThat(lookUps).hasSize(1);
    assertThat(credentials.known()).isNull();
    answer(1);
    assertThat(first.has(1) && second.has(1) && ask().has(1)).isTrue();
    assertThat(credentials.known()).isSameAs(first.got);
    assertThat(lookUps).hasSize(1);
  }

  @Test
  void near_the_expiry_one_request_looks_up_the_next_one_while_the_others_use_the_old() {
    ask();
    answer(1);
    time.advanceTimeBy(LIFE.multipliedBy(3).dividedBy(4).minusMillis(1));
    assertThat(ask().has(1)).isTrue();
    assertThat(lookUps).hasSize(1);
    time.advanceTimeBy(LIFE.dividedBy(8).plusMillis(2));
    Asked renewing = ask();
    assertThat(lookUps).hasSize(2);
    assertThat(renewing.waits()).isTrue();
    assertThat(ask().has(1) && ask().has(1)).isTrue();
    answer(2);
    assertThat(renewing.has(2) && ask().has(2)).isTrue();
    assertThat(lookUps).hasSize(2);
  }

  @Test
  void processes_that_began_together_renew_at_different_times() {
    List<Long> renewals = new ArrayList<>();
    for (int process = 0; process < 20; process++) {
      lookUps.clear();
      Credentials own = answering(n -> Mono.just(token(n)));
      own.current().block();
      long waited = 0;
      while (lookUps.size() == 1) {
        time.advanceTimeBy(Duration.ofMillis(10));
        waited += 10;
        own.current().block();
      }
      renewals.add(waited);
    }
    assertThat(renewals).allMatch(waited -> waited >= 45_000 && waited <= 52_510);
    assertThat(renewals.stream().distinct().count()).isGreaterThan(5);
  }

  @Test
  void a_failed_renewal_keeps_the_old_one_while_it_lasts_and_then_tells_the_reason() {
    ask();
    answer(1);
    time.advanceTimeBy(LIFE.minusSeconds(5));
    Asked renewing = ask();
    lookUps.get(1).tryEmitError(new IllegalStateException("the vault is sealed"));
    assertThat(renewing.has(1) && ask().has(1)).isTrue();
    assertThat(lookUps).hasSize(2);
    time.advanceTimeBy(Duration.ofSeconds(5));
    Asked late = ask();
    lookUps.get(2).tryEmitError(new IllegalStateException("the vault is sealed"));
    assertThat(late.error)
        .isExactlyInstanceOf(StoreException.class)
        .hasMessage("no credential from the vault: the vault is sealed");
    assertThat(ask().error).hasMessage(late.error.getMessage()).isNotSameAs(late.error);
    assertThat(lookUps).hasSize(3);
  }

  @Test
  void look_ups_that_fail_are_repeated_once_in_each_back_off_however_many_requests_ask() {
    Credentials sealed =
        answering(n -> Mono.error(new TransientStoreException("answered 503", Location.UNKNOWN)));
    List<Integer> after = new ArrayList<>();
    for (int second = 0; second < 120; second++) {
      for (int request = 0; request < 50; request++) {
        Asked asked = new Asked(sealed.current());
        assertThat(asked.error)
            .isInstanceOfSatisfying(
                TransientStoreException.class,
                e -> assertThat(e.retryAfter()).isBetween(Duration.ZERO, Duration.ofSeconds(30)));
        time.advanceTimeBy(Duration.ofMillis(20));
      }
      after.add(lookUps.size());
    }
    assertThat(after.get(0)).isBetween(2, 3);
    assertThat(after.get(119)).isBetween(9, 12);
  }

  @Test
  void a_look_up_without_an_answer_ends_at_its_timeout() {
    Asked waiting = ask();
    time.advanceTimeBy(Duration.ofSeconds(29));
    assertThat(waiting.waits()).isTrue();
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(waiting.error)
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("the vault")
        .hasMessageContaining("no answer within 30000 ms");
    assertThat(cancelled).isEqualTo(1);
  }

  @Test
  void the_cancel_of_the_last_request_that_waits_cancels_the_look_up() {
    Asked first = ask();
    Asked second = ask();
    first.subscription.dispose();
    assertThat(cancelled).isZero();
    second.subscription.dispose();
    assertThat(cancelled).isEqualTo(1);
    Asked third = ask();
    assertThat(lookUps).hasSize(2);
    answer(2);
    assertThat(third.has(2)).isTrue();
  }

  @Test
  void a_refused_credential_is_renewed_once_for_all_requests_that_had_it() {
    Asked first = ask();
    answer(1);
    HeldCredential old = first.got;
    old.accepted();
    Asked one = new Asked(credentials.renewedAfter(old, true, 0));
    Asked other = new Asked(credentials.renewedAfter(old, true, 0));
    assertThat(credentials.known()).isNull();
    assertThat(ask().waits()).isTrue();
    assertThat(lookUps).hasSize(2);
    answer(2);
    assertThat(one.has(2) && other.has(2)).isTrue();
    assertThat(new Asked(credentials.renewedAfter(old, true, 0)).has(2)).isTrue();
    assertThat(lookUps).hasSize(2);
  }

  @Test
  void requests_that_are_refused_at_once_with_a_new_credential_share_one_look_up() {
    Asked first = ask();
    answer(1);
    Asked one = new Asked(credentials.renewedAfter(first.got, true, 0));
    Asked other = new Asked(credentials.renewedAfter(first.got, true, 0));
    assertThat(lookUps).hasSize(2);
    answer(2);
    assertThat(one.has(2) && other.has(2)).isTrue();
  }

  @Test
  void only_an_expiry_explains_a_refusal_that_does_not_speak_of_the_credential() {
    Asked first = ask();
    answer(1);
    assertThat(new Asked(credentials.renewedAfter(first.got, false, 0)).isEmpty).isTrue();
    assertThat(ask().has(1)).isTrue();
    time.advanceTimeBy(LIFE);
    Asked renewed = new Asked(credentials.renewedAfter(first.got, false, 0));
    answer(2);
    assertThat(renewed.has(2)).isTrue();
  }

  @Test
  void a_request_is_renewed_more_than_once_only_where_its_credential_has_expired_meanwhile() {
    Credentials own = answering(n -> Mono.just(token(n)));
    HeldCredential first = own.current().block();
    first.accepted();
    assertThat(new Asked(own.renewedAfter(first, true, 1)).isEmpty).isTrue();
    time.advanceTimeBy(LIFE);
    for (int renewals = 0; renewals < 10; renewals++) {
      assertThat(new Asked(own.renewedAfter(first, true, renewals)).got).isNotNull();
    }
    assertThat(new Asked(own.renewedAfter(first, true, 10)).isEmpty).isTrue();
    assertThat(lookUps).hasSize(2);
  }

  @Test
  void a_server_that_refuses_everything_causes_one_look_up_in_each_back_off() {
    Credentials refused = answering(n -> Mono.just(token(n)));
    for (int request = 0; request < 1000; request++) {
      HeldCredential used = refused.current().block();
      new Asked(refused.renewedAfter(used, true, 0));
      time.advanceTimeBy(Duration.ofMillis(1));
    }
    assertThat(lookUps).hasSizeBetween(4, 5);
  }

  @Test
  void the_same_credential_again_does_not_help_a_request_that_was_refused() {
    Credentials fixed =
        new Credentials(
            CredentialSource.fixed(Credential.bearer("token")), Duration.ofSeconds(30), time);
    HeldCredential used = fixed.current().block();
    used.accepted();
    assertThat(new Asked(fixed.renewedAfter(used, true, 0)).isEmpty).isTrue();
    assertThat(fixed.current().block().credential()).isEqualTo(Credential.bearer("token"));
  }

  @Test
  void a_credential_that_has_expired_already_is_an_error_that_speaks_of_clocks() {
    Credentials stale =
        answering(n -> Mono.just(ExpiringCredential.until(now(), Credential.bearer("token"))));
    assertThat(new Asked(stale.current()).error)
        .isInstanceOf(TransientStoreException.class)
        .hasMessageContaining("has expired at")
        .hasMessageContaining("clock");
  }

  @Test
  void a_source_without_a_credential_and_one_that_throws_are_errors_with_its_name() {
    assertThat(new Asked(of(Mono.empty()).current()).error)
        .hasMessage("no credential from the vault: it gave none");
    Mono<ExpiringCredential> refusing =
        Mono.error(new AccessDeniedException("the user is unknown", Location.UNKNOWN));
    assertThat(new Asked(of(refusing).current()).error).isInstanceOf(AccessDeniedException.class);
    Mono<ExpiringCredential> silent = Mono.error(new IllegalStateException());
    assertThat(new Asked(of(silent).current()).error)
        .hasMessage("no credential from the vault: java.lang.IllegalStateException");
  }

  @Test
  void a_source_that_may_change_is_looked_up_again_after_its_renewal() {
    Credentials file =
        answering(
            n ->
                Mono.just(
                    ExpiringCredential.lasting(Credential.bearer("token-" + n))
                        .renewedAfter(now().plusSeconds(10))));
    file.current().block();
    time.advanceTimeBy(Duration.ofSeconds(9));
    file.current().block();
    assertThat(lookUps).hasSize(1);
    time.advanceTimeBy(Duration.ofSeconds(1));
    assertThat(new Asked(file.current()).has(2)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void a_stream_of_requests_looks_up_once_for_each_expiry_and_no_request_fails(int concurrency) {
    Duration second = Duration.ofSeconds(1);
    Credentials hourly =
        answering(
            n ->
                Mono.just(
                        ExpiringCredential.until(
                            now().plus(second), Credential.bearer("token-" + n)))
                    .delayElement(Duration.ofMillis(50), time));
    List<Asked> all = new ArrayList<>();
    for (int millis = 0; millis < 20_000; millis += 10) {
      for (int request = 0; request < concurrency; request++) {
        all.add(new Asked(hourly.current()));
      }
      time.advanceTimeBy(Duration.ofMillis(10));
    }
    time.advanceTimeBy(second);
    assertThat(all).allMatch(asked -> asked.got != null && asked.error == null);
    assertThat(lookUps.size()).isBetween(20, 28);
  }

  @Test
  void stores_of_equal_sources_share_what_was_looked_up() {
    Mono<ExpiringCredential> token =
        Mono.just(ExpiringCredential.lasting(Credential.bearer("token")));
    Credentials one = Credentials.of(CredentialSource.of("the vault", token));
    assertThat(Credentials.of(CredentialSource.of("the vault", token))).isSameAs(one);
    assertThat(Credentials.of(CredentialSource.of("another", token))).isNotSameAs(one);
  }

  @Test
  void nothing_shows_a_secret() {
    Asked asked = ask();
    answer(1);
    assertThat(credentials).hasToString("Credentials[the vault]");
    assertThat(asked.got).hasToString("headers");
  }
}
