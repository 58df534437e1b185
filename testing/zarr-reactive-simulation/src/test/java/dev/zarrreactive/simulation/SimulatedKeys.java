package dev.zarrreactive.simulation;

import dev.zarrreactive.error.AccessDeniedException;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.TransientStoreException;
import dev.zarrreactive.internal.credential.Credentials;
import dev.zarrreactive.internal.credential.HeldCredential;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Keys that expire after a while of virtual time: a request is sent with one, and the origin
 * refuses it if it has expired on the way. Some look-ups are slow, and some fail.
 */
final class SimulatedKeys {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long[] LIVES = {1_000, 4_000, 60_000};

  private final Simulation run;
  private final SplittableRandom chance;
  private final long life;
  private final boolean isReliable;
  private final Credentials credentials;
  private long lastGiven = Long.MIN_VALUE;
  private boolean isAsked;

  private SimulatedKeys(Simulation run) {
    this.run = run;
    this.chance = new SplittableRandom(~run.scenario().seed());
    this.life = LIVES[chance.nextInt(LIVES.length)];
    this.isReliable = chance.nextBoolean();
    this.credentials =
        new Credentials(
            CredentialSource.of("the simulation", Mono.defer(this::lookUp)),
            PATIENCE,
            Environment.current().timer());
  }

  /** Returns the keys of a run; null where its origin asks for none. */
  static @Nullable SimulatedKeys of(Simulation run) {
    return areIn(run.scenario()) ? new SimulatedKeys(run) : null;
  }

  /** Returns true for a scenario whose requests need a key, which some look-ups do not give. */
  static boolean areIn(Scenario scenario) {
    return scenario.seed() / ScenarioGenerator.FAMILY
        == ScenarioGenerator.KEYED / ScenarioGenerator.FAMILY;
  }

  private Mono<ExpiringCredential> lookUp() {
    if (isAsked) {
      run.found(Rule.LOOK_UPS, "two look-ups at a time");
    }
    long sinceLast = millis() - lastGiven;
    if (lastGiven != Long.MIN_VALUE && sinceLast < life * 3 / 4 - 1) {
      run.found(Rule.LOOK_UPS, "a look-up " + sinceLast + " ms after one of " + life + " ms");
    }
    isAsked = true;
    boolean fails = !isReliable && chance.nextInt(3) == 0;
    run.log(() -> "a key is looked up" + (fails ? ", and there is none" : ""));
    Mono<ExpiringCredential> answer =
        fails ? Mono.error(new TransientStoreException("503", Location.UNKNOWN)) : given();
    return Mono.delay(Duration.ofNanos(run.latency()), Environment.current().timer())
        .flatMap(any -> answer)
        .doFinally(end -> isAsked = false);
  }

  private Mono<ExpiringCredential> given() {
    return Mono.fromSupplier(
        () -> {
          lastGiven = millis();
          Instant expiry = Instant.ofEpochMilli(lastGiven + life);
          return ExpiringCredential.until(expiry, Credential.bearer(expiry.toString()));
        });
  }

  private long millis() {
    return TimeUnit.NANOSECONDS.toMillis(run.time().now());
  }

  /** Emits the key of a request. */
  Mono<HeldCredential> current() {
    return credentials.current();
  }

  /** Emits the key of a request whose key was refused; empty for none. */
  Mono<HeldCredential> renewedAfter(HeldCredential used, int renewals) {
    return credentials.again(used, true, renewals, Mono::just, Mono.empty());
  }

  /** Returns the error of a request without a key, which a failed look-up alone explains. */
  Throwable located(Throwable error, String target) {
    if (isReliable || !(error instanceof TransientStoreException missing)) {
      run.found(Rule.LOOK_UPS, "no key for " + target + ": " + error);
      return error;
    }
    return missing.at(Location.ofKey(target));
  }

  /** Returns true where the origin refuses a key that arrives now. */
  boolean hasExpired(HeldCredential held) {
    Instant expiry = held.expiry();
    return expiry != null && millis() >= expiry.toEpochMilli();
  }

  /** Returns the refusal of a key. */
  AccessDeniedException refused(String target) {
    return new AccessDeniedException("401 for " + target, Location.ofKey(target));
  }
}
