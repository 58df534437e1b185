package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.SslBundles;
import reactor.core.publisher.Mono;

/** Opens the stores that the properties and the beans of a service name. */
final class ServiceStores {
  private final ZarrProperties properties;
  private final ObjectProvider<ZarrConnectionDetails> details;
  private final ObjectProvider<CredentialSource> credentials;
  private final ObjectProvider<SslBundles> bundles;
  private final ServiceObservers observers;

  ServiceStores(
      ZarrProperties properties,
      ObjectProvider<ZarrConnectionDetails> details,
      ObjectProvider<CredentialSource> credentials,
      ObjectProvider<SslBundles> bundles,
      ServiceObservers observers) {
    this.properties = properties;
    this.details = details;
    this.credentials = credentials;
    this.bundles = bundles;
    this.observers = observers;
  }

  /** Emits the store at {@code zarr.location}, with the credentials of a bean. */
  Mono<Store> open() {
    return Mono.defer(
            () -> open(place("", properties.place()).orCredentials(credentials.getIfAvailable())))
        .onErrorMap(ServiceStores::isOfUser, e -> new BadConfigurationException("", e));
  }

  /** Emits the store of a name below {@code zarr.stores}. */
  Mono<Store> open(String name) {
    return Mono.defer(() -> open(place(name, named(name).place())))
        .onErrorMap(ServiceStores::isOfUser, e -> new BadConfigurationException(name, e));
  }

  private static boolean isOfUser(Throwable error) {
    return error instanceof IllegalArgumentException || error instanceof ZarrException;
  }

  private static Mono<Store> open(StorePlace place) {
    String location = place.location();
    if (location == null) {
      throw new IllegalArgumentException("it has no location");
    }
    return Zarr.at(location).withStoreOptions(place.options()).store();
  }

  private StorePlace place(String name, ZarrProperties.Place configured) {
    checkDetails();
    StorePlace place = StorePlace.of(configured, bundles);
    for (ZarrConnectionDetails each : details) {
      place = each.store().equals(name) ? place.with(each) : place;
    }
    return place;
  }

  /** Refuses details of a name that no property has, and two of one name. */
  private void checkDetails() {
    Set<String> names = new TreeSet<>();
    for (ZarrConnectionDetails each : details) {
      String name = each.store();
      if (!name.isEmpty() && !properties.stores().containsKey(name)) {
        throw new IllegalArgumentException(
            "a bean ZarrConnectionDetails is for \""
                + name
                + "\", which no property zarr.stores.* names; they name "
                + new TreeSet<>(properties.stores().keySet()));
      }
      if (!names.add(name)) {
        throw new IllegalArgumentException(
            "two beans ZarrConnectionDetails are for "
                + (name.isEmpty() ? "zarr.location" : "zarr.stores." + name));
      }
    }
  }

  private ZarrProperties.Named named(String name) {
    ZarrProperties.Named found = properties.stores().get(name);
    if (found == null) {
      throw new IllegalArgumentException("no property zarr.stores." + name + ".* is there");
    }
    return found;
  }

  /** Returns the hierarchy of the whole service, whose bytes in flight are a share of all. */
  ZarrHierarchy hierarchy(Store store, ZarrOptions options) {
    return Zarr.hierarchy(store, options.withMaxInFlightBytes(share(options, 1))).following();
  }

  /**
   * Returns the hierarchy of a name below {@code zarr.stores}.
   *
   * @param isBesideOne true where the service has a hierarchy without a name, too
   */
  ZarrHierarchy hierarchy(String name, Store store, ZarrOptions options, boolean isBesideOne) {
    try {
      ZarrOptions own =
          named(name).options(options.withMaxInFlightBytes(share(options, isBesideOne ? 1 : 0)));
      return Zarr.hierarchy(store, observers.named(name, own)).following();
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException(name, e);
    }
  }

  /** Returns the bytes of a hierarchy: an equal share of what those without a bound have. */
  private long share(ZarrOptions options, int others) {
    int hierarchies = others + properties.stores().size();
    return Math.max(1, options.maxInFlightBytes() / Math.max(1, hierarchies));
  }
}
