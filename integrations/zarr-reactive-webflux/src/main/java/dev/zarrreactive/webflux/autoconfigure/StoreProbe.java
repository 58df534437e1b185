package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.http.HttpProblem;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.webflux.ZarrWebFlux;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The answer of a store that was asked once for the root, and what the service holds of its bounds.
 *
 * @param status {@code UP} or {@code DOWN}
 * @param details without secrets
 */
record StoreProbe(String status, Map<String, Object> details) {
  private static final String UP = "UP";
  private static final String DOWN = "DOWN";

  /**
   * Asks the store.
   *
   * @param slices counts the slices of the service; null where it sends none
   * @param timeout the time after which the store is down
   * @param isRootRequired whether a root without a node is down
   */
  static Mono<StoreProbe> of(
      ZarrHierarchy hierarchy,
      @Nullable ZarrWebFlux slices,
      Duration timeout,
      boolean isRootRequired) {
    return hierarchy
        .exists("")
        .contextWrite(RetryOptions::once)
        .map(
            isNode ->
                new StoreProbe(
                    isNode || !isRootRequired ? UP : DOWN,
                    details(hierarchy, slices, "root", isNode ? "array or group" : "no node")))
        .onErrorResume(
            ZarrException.class,
            e ->
                Mono.fromSupplier(
                    () ->
                        new StoreProbe(
                            DOWN, details(hierarchy, slices, "error", HttpProblem.of(e).detail()))))
        .timeout(
            timeout,
            Mono.fromSupplier(
                () ->
                    new StoreProbe(
                        DOWN,
                        details(
                            hierarchy,
                            slices,
                            "error",
                            "the store has not answered within " + timeout.toMillis() + " ms"))),
            Environment.current().timer());
  }

  private static Map<String, Object> details(
      ZarrHierarchy hierarchy, @Nullable ZarrWebFlux slices, String name, Object value) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("store", hierarchy.store().toString());
    details.put(name, value);
    details.put("bytesInFlight", hierarchy.bytesInFlight());
    details.put("maxBytesInFlight", hierarchy.options().maxInFlightBytes());
    if (slices != null) {
      details.put("slices", slices.slices());
      details.put("maxSlices", slices.maxSlices());
    }
    return details;
  }
}
