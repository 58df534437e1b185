package dev.zarrreactive.simulation;

import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.CacheOptions;
import dev.zarrreactive.store.decorator.HedgeOptions;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The decorators over the origin.
 *
 * @param limit the most requests at a time; 0 for no limit, -1 for an adaptive one
 * @param attempts the most attempts of a request; 0 for no retries
 * @param cacheBytes what the cache of stored values keeps; 0 for no cache
 * @param revalidationMillis the age at which it asks again; -1 for never
 */
record StackPlan(
    StoreKind kind,
    int limit,
    int attempts,
    boolean isHedged,
    boolean isObserved,
    long cacheBytes,
    boolean keepsMissing,
    long revalidationMillis) {
  static final int ADAPTIVE = -1;

  /** As many attempts as by default: their patience is longer than a restart. */
  static final int PATIENT = RetryOptions.defaults().attempts();

  /** Pays for the probes of one restart, and for few retries besides. */
  private static final int BUDGET_OF_PATIENT = 16;

  /** Returns the limit of the stack; null for none. */
  @Nullable RequestLimit requestLimit() {
    if (limit == 0) {
      return null;
    }
    return limit == ADAPTIVE ? RequestLimit.adaptive(16) : RequestLimit.fixed(limit);
  }

  Store over(Store origin, @Nullable RequestLimit requests, StoreObserver observer) {
    Stores.Stack stack = Stores.stack(origin);
    if (requests != null) {
      stack.limit(requests);
    }
    if (isObserved) {
      stack.observe(observer);
    }
    if (attempts > 0) {
      RetryOptions retries =
          RetryOptions.defaults().withAttempts(attempts).withDeadline(Duration.ofSeconds(40));
      stack.retry(isPatient() ? retries.withBudget(BUDGET_OF_PATIENT) : retries);
    }
    if (isHedged) {
      stack.hedge(
          HedgeOptions.defaults().withShare(0.5).withShortest(Duration.ofMillis(1)).withSamples(3));
    }
    if (cacheBytes > 0) {
      CacheOptions cache = CacheOptions.ofBytes(cacheBytes).withMissingKeys(keepsMissing);
      stack.cache(
          revalidationMillis < 0
              ? cache
              : cache.withRevalidation(Duration.ofMillis(revalidationMillis)));
    }
    return stack.build();
  }

  /** Returns the stack over another origin. */
  StackPlan over(StoreKind other) {
    return new StackPlan(
        other, limit, attempts, isHedged, isObserved, cacheBytes, keepsMissing, revalidationMillis);
  }

  /** Returns the stack with attempts that outlast a restart. */
  StackPlan patient() {
    return new StackPlan(
        kind, limit, PATIENT, isHedged, isObserved, cacheBytes, keepsMissing, revalidationMillis);
  }

  /** Returns true where reads outlast a restart. */
  boolean isPatient() {
    return attempts == PATIENT;
  }

  /** Returns true where another program's writes may stay unseen, because a cache never asks. */
  boolean mayBeStale() {
    return cacheBytes > 0 && revalidationMillis != 0;
  }

  /** Returns stacks with one decorator less. */
  Stream<StackPlan> simpler() {
    return Stream.of(
        new StackPlan(
            kind, 0, attempts, isHedged, isObserved, cacheBytes, keepsMissing, revalidationMillis),
        new StackPlan(
            kind, limit, 0, isHedged, isObserved, cacheBytes, keepsMissing, revalidationMillis),
        new StackPlan(
            kind, limit, attempts, false, false, cacheBytes, keepsMissing, revalidationMillis),
        new StackPlan(kind, limit, attempts, isHedged, isObserved, 0, false, -1));
  }

  @Override
  public String toString() {
    return "origin "
        + kind
        + (limit == 0 ? "" : limit == ADAPTIVE ? " <- adaptive limit" : " <- limit " + limit)
        + (isObserved ? " <- observed" : "")
        + (attempts == 0 ? "" : " <- " + attempts + " attempts")
        + (isHedged ? " <- hedged" : "")
        + (cacheBytes == 0
            ? ""
            : " <- cache of "
                + cacheBytes
                + " bytes"
                + (keepsMissing ? " and of missing keys" : "")
                + (revalidationMillis < 0 ? "" : ", asked after " + revalidationMillis + " ms"));
  }
}
