package dev.zarrreactive.copy;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrLocation;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** One end of a copy: a hierarchy of the caller, or a location whose store the copy closes. */
final class CopyEnd {
  private final Mono<ZarrHierarchy> hierarchy;
  private final boolean closes;
  private final Object name;

  private CopyEnd(Mono<ZarrHierarchy> hierarchy, boolean closes, Object name) {
    this.hierarchy = hierarchy;
    this.closes = closes;
    this.name = name;
  }

  static CopyEnd of(ZarrHierarchy hierarchy) {
    return new CopyEnd(Mono.just(hierarchy), false, hierarchy.store());
  }

  static CopyEnd source(ZarrLocation location) {
    return new CopyEnd(location.hierarchy(), true, location);
  }

  static CopyEnd destination(ZarrLocation location) {
    return new CopyEnd(location.newHierarchy(), true, location);
  }

  /** Works on the hierarchy. A store that was opened for the work is closed after its end. */
  <T> Flux<T> with(Function<ZarrHierarchy, Flux<T>> work) {
    return closes
        ? Flux.usingWhen(hierarchy, work, opened -> opened.store().close())
        : hierarchy.flatMapMany(work);
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
