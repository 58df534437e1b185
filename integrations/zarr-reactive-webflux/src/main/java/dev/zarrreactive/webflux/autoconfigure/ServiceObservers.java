package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.micrometer.ZarrMeters;
import dev.zarrreactive.observation.ZarrObserver;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The observers of a service, for all hierarchies together, and for each by its name. */
final class ServiceObservers {
  private static final boolean HAS_METERS =
      ClassUtils.isPresent(
          "dev.zarrreactive.micrometer.ZarrMeters", ServiceObservers.class.getClassLoader());

  private final List<ZarrObserver> all;
  private final @Nullable ZarrObserver together;

  ServiceObservers(List<ZarrObserver> all) {
    this.all = all;
    this.together = all.isEmpty() ? null : ZarrObserver.all(all.toArray(ZarrObserver[]::new));
  }

  /** Returns the options with the observers. */
  ZarrOptions on(ZarrOptions options) {
    return together == null ? options : options.withObserver(together);
  }

  /** Returns the options with the meters of a name, unless the service has an observer of them. */
  ZarrOptions named(String name, ZarrOptions options) {
    return together == null || options.observer() != together
        ? options
        : options.withObserver(
            ZarrObserver.all(
                all.stream().map(each -> named(name, each)).toArray(ZarrObserver[]::new)));
  }

  private static ZarrObserver named(String name, ZarrObserver observer) {
    return HAS_METERS ? Meters.named(name, observer) : observer;
  }

  /** Loaded where zarr-reactive-micrometer is there. */
  private static final class Meters {
    static ZarrObserver named(String name, ZarrObserver observer) {
      return observer instanceof ZarrMeters meters ? meters.ofHierarchy(name) : observer;
    }
  }
}
