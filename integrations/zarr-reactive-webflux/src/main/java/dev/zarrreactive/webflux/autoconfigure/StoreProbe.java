package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.http.HttpProblem;
import java.util.Map;
import reactor.core.publisher.Mono;

/**
 * The answer of a store that was asked for the root. A root without a node is an answer, too.
 *
 * @param status {@code UP} or {@code DOWN}
 * @param details without secrets
 */
record StoreProbe(String status, Map<String, Object> details) {
  static Mono<StoreProbe> of(ZarrHierarchy hierarchy) {
    String store = hierarchy.store().toString();
    return hierarchy
        .exists("")
        .map(
            isNode ->
                new StoreProbe(
                    "UP",
                    Map.of(
                        "store",
                        store,
                        "root",
                        isNode ? "array or group" : "no node",
                        "bytesInFlight",
                        hierarchy.bytesInFlight())))
        .onErrorResume(
            ZarrException.class,
            e ->
                Mono.just(
                    new StoreProbe(
                        "DOWN", Map.of("store", store, "error", HttpProblem.of(e).detail()))));
  }
}
