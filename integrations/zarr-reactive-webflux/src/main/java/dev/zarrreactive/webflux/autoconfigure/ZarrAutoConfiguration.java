package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.observation.ZarrObserver;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.CredentialSource;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * Opens the hierarchy at {@code zarr.location}, a bean for the whole service, and closes its store
 * when the service stops. The hierarchy follows the branch of a repository. A {@code Store}, {@code
 * ZarrOptions} or {@code ZarrHierarchy} of the service's own replaces the one here; {@code
 * ZarrObserver} beans are told of every operation. A {@code CredentialSource} bean gives the
 * credentials of the store.
 */
@AutoConfiguration
@EnableConfigurationProperties(ZarrProperties.class)
public final class ZarrAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  ZarrOptions zarrOptions(ZarrProperties properties, ObjectProvider<ZarrObserver> observers) {
    ZarrOptions options;
    try {
      options = properties.options();
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException(e);
    }
    ZarrObserver[] all = observers.orderedStream().toArray(ZarrObserver[]::new);
    return all.length == 0 ? options : options.withObserver(ZarrObserver.all(all));
  }

  /**
   * Opens the store. Spring wants an object here, so the thread that starts the service waits for
   * it. {@code @Lazy(false)} keeps the wait off the threads of requests. Only an archive costs a
   * request.
   */
  @Bean(destroyMethod = "close")
  @Lazy(false)
  @ConditionalOnProperty("zarr.location")
  @ConditionalOnMissingBean({Store.class, ZarrHierarchy.class})
  Store zarrStore(ZarrProperties properties, ObjectProvider<CredentialSource> credentials) {
    StoreOptions options = properties.storeOptions();
    CredentialSource source = credentials.getIfAvailable();
    try {
      return Objects.requireNonNull(
          Zarr.at(Objects.requireNonNull(properties.location()))
              .withStoreOptions(source == null ? options : options.with(source))
              .store()
              .block());
    } catch (IllegalArgumentException | ZarrException e) {
      throw new BadConfigurationException(e);
    }
  }

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnSingleCandidate(Store.class)
  ZarrHierarchy zarrHierarchy(Store store, ZarrOptions options) {
    return Zarr.hierarchy(store, options).following();
  }
}
