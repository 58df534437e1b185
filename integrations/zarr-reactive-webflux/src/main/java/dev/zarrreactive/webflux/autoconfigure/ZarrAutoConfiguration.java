package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Opens the hierarchy at {@code zarr.location}, a bean for the whole service, and those of {@code
 * zarr.stores}, a bean of its name for each. Closes their stores when the service stops. A {@code
 * Store}, {@code ZarrOptions} or {@code ZarrHierarchy} of the service's own replaces the one of
 * {@code zarr.location}; {@code ZarrObserver} beans are told of every operation. A {@code
 * CredentialSource} bean gives the credentials of the store at {@code zarr.location}, and {@code
 * ZarrConnectionDetails} beans replace locations. Hierarchies follow the branch of a repository.
 */
@AutoConfiguration
@EnableConfigurationProperties(ZarrProperties.class)
@Import(NamedStores.class)
public final class ZarrAutoConfiguration {
  /** The name of the bean that makes those of {@code zarr.stores}. */
  static final String NAMED = "zarrNamedHierarchies";

  @Bean
  ServiceObservers zarrObservers(ObjectProvider<ZarrObserver> observers) {
    return new ServiceObservers(observers.orderedStream().toList());
  }

  @Bean
  ServiceStores zarrStores(
      ZarrProperties properties,
      ObjectProvider<ZarrConnectionDetails> details,
      ObjectProvider<CredentialSource> credentials,
      ObjectProvider<SslBundles> bundles,
      ServiceObservers zarrObservers) {
    return new ServiceStores(properties, details, credentials, bundles, zarrObservers);
  }

  @Bean
  @ConditionalOnMissingBean
  ZarrOptions zarrOptions(ZarrProperties properties, ServiceObservers zarrObservers) {
    try {
      return zarrObservers.on(properties.options());
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException("", e);
    }
  }

  /**
   * Opens the store. Spring wants an object here, so the thread that starts the service waits for
   * it. {@code @Lazy(false)} keeps the wait off the threads of requests. Only an archive costs a
   * request.
   */
  @Bean(destroyMethod = "close")
  @Lazy(false)
  @Conditional(OnLocation.class)
  @ConditionalOnMissingBean({Store.class, ZarrHierarchy.class})
  Store zarrStore(ServiceStores zarrStores) {
    return Objects.requireNonNull(zarrStores.open().block());
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(Store.class)
  ZarrHierarchy zarrHierarchy(Store store, ZarrOptions options, ServiceStores zarrStores) {
    return zarrStores.hierarchy(store, options);
  }

  @Bean(NAMED)
  NamedHierarchies zarrNamedHierarchies(
      ServiceStores zarrStores, ZarrOptions options, BeanFactory beans) {
    return new NamedHierarchies(zarrStores, options, beans.containsBean("zarrHierarchy"));
  }

  /** Makes the beans of {@code zarr.stores}; Spring calls it by its methods' names. */
  static final class NamedHierarchies {
    private final ServiceStores stores;
    private final ZarrOptions options;
    private final boolean isBesideOne;

    NamedHierarchies(ServiceStores stores, ZarrOptions options, boolean isBesideOne) {
      this.stores = stores;
      this.options = options;
      this.isBesideOne = isBesideOne;
    }

    /** Opens a store, for which the thread that starts the service waits. */
    Store open(String name) {
      return Objects.requireNonNull(stores.open(name).block());
    }

    ZarrHierarchy hierarchy(String name, Store store) {
      return stores.hierarchy(name, store, options, isBesideOne);
    }
  }
}
