package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.store.decorator.CacheCounts;
import dev.zarrreactive.webflux.ZarrWebFlux;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The endpoint {@code zarr} of the Actuator: the hierarchies of the service with their bytes in
 * flight and their caches, the arrays of each, and a way to empty its caches. It shows no secret:
 * of a store what its {@code toString} says.
 */
@Endpoint(id = "zarr")
public final class ZarrEndpoint {
  private static final int ARRAYS = 1000;

  private final Map<String, ZarrHierarchy> hierarchies;
  private final ObjectProvider<ZarrWebFlux> slices;

  ZarrEndpoint(Map<String, ZarrHierarchy> hierarchies, ObjectProvider<ZarrWebFlux> slices) {
    this.hierarchies = new TreeMap<>(hierarchies);
    this.slices = slices;
  }

  /** Returns what the service holds now; asks no store. */
  @ReadOperation
  public Map<String, Object> hierarchies() {
    Map<String, Object> each = new LinkedHashMap<>();
    hierarchies.forEach((name, hierarchy) -> each.put(name, state(hierarchy)));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("hierarchies", each);
    ZarrWebFlux sent = slices.getIfAvailable();
    if (sent != null) {
      all.put("slices", sent.slices());
      all.put("maxSlices", sent.maxSlices());
    }
    return all;
  }

  private static Map<String, Object> state(ZarrHierarchy hierarchy) {
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("store", hierarchy.store().toString());
    state.put("bytesInFlight", hierarchy.bytesInFlight());
    state.put("maxBytesInFlight", hierarchy.options().maxInFlightBytes());
    state.put(
        "caches",
        Map.of(
            "chunks", counts(hierarchy.decodedChunkCounts()),
            "shard-indexes", counts(hierarchy.shardIndexCounts())));
    return state;
  }

  private static Map<String, Object> counts(CacheCounts cache) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("entries", cache.entries());
    counts.put("bytes", cache.bytes());
    counts.put("hits", cache.hits());
    counts.put("shared", cache.shared());
    counts.put("misses", cache.misses());
    counts.put("evictions", cache.evictions());
    return counts;
  }

  /**
   * Emits the arrays of a hierarchy, which its store lists, at most 1,000.
   *
   * @param place the name of the bean of the hierarchy, and the path of a node whose arrays alone
   *     are wanted
   */
  @ReadOperation
  public Mono<Map<String, Object>> arrays(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] place) {
    return hierarchy(place).flatMap(hierarchy -> arrays(hierarchy, path(place)));
  }

  private static Mono<Map<String, Object>> arrays(ZarrHierarchy hierarchy, String path) {
    return hierarchy
        .open(path)
        .flatMapMany(root -> root instanceof ZarrGroup group ? group.tree() : Flux.just(root))
        .ofType(ZarrArray.class)
        .map(ZarrEndpoint::described)
        .take(ARRAYS + 1L)
        .collectList()
        .map(
            arrays -> {
              boolean isComplete = arrays.size() <= ARRAYS;
              Map<String, Object> all = new LinkedHashMap<>(state(hierarchy));
              all.put("arrays", isComplete ? arrays : arrays.subList(0, ARRAYS));
              all.put("isComplete", isComplete);
              return all;
            });
  }

  private static Map<String, Object> described(ZarrArray array) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("path", array.path().value());
    all.put("shape", array.shape().toArray());
    all.put("dataType", array.dataType().toString());
    all.put("dimensions", array.metadata().dimensionNames());
    return all;
  }

  /** Empties the caches of all hierarchies. */
  @DeleteOperation
  public Mono<Void> forget() {
    return Flux.fromIterable(hierarchies.values())
        .concatMap(hierarchy -> hierarchy.forget(""))
        .then();
  }

  /**
   * Empties the caches of a hierarchy of what is at a node and below it.
   *
   * @param place the name of the bean of the hierarchy, and the path of the node
   * @return what was forgotten
   */
  @DeleteOperation
  public Mono<Map<String, Object>> forget(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] place) {
    String node = path(place);
    return hierarchy(place)
        .flatMap(hierarchy -> hierarchy.forget(node))
        .thenReturn(Map.of("hierarchy", place[0], "forgotten", "/" + node));
  }

  private Mono<ZarrHierarchy> hierarchy(String[] place) {
    ZarrHierarchy named = hierarchies.get(place[0]);
    String names = "the hierarchies are " + hierarchies.keySet();
    return named == null
        ? Mono.error(() -> new InvalidEndpointRequestException(names, names))
        : Mono.just(named);
  }

  /** Returns the path of a node; the root where none is named. */
  private static String path(String[] place) {
    return String.join("/", Arrays.asList(place).subList(1, place.length));
  }
}
