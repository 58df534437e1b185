package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.webflux.ZarrWebFlux;
import java.nio.file.Path;
import java.util.Objects;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.WebFilter;

/**
 * Opens the service to signed links where there are keys of them: the properties {@code
 * zarr.links.keys} or {@code zarr.links.key-file}, or a {@code LinkKeySource} bean of the service's
 * own. Those of a file rotate while the service runs.
 */
@AutoConfiguration(after = ZarrWebFluxAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@EnableConfigurationProperties(ZarrLinkProperties.class)
public final class ZarrLinksAutoConfiguration {
  @Bean
  @ConditionalOnProperty("zarr.links.keys")
  @ConditionalOnMissingBean
  LinkKeySource zarrLinkKeys(ZarrLinkProperties properties) {
    try {
      return LinkKeys.of(Objects.requireNonNull(properties.keys()));
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException("", e);
    }
  }

  /** Reads the file once while the service starts, for which the thread that starts it waits. */
  @Bean
  @ConditionalOnProperty("zarr.links.key-file")
  @ConditionalOnMissingBean
  LinkKeySource zarrLinkKeysOfFile(ZarrLinkProperties properties) {
    String file = Objects.requireNonNull(properties.keyFile());
    try {
      LinkKeySource keys = LinkKeySource.file(Path.of(file));
      keys.keys().block();
      return keys;
    } catch (IllegalArgumentException | StoreException e) {
      throw new BadConfigurationException(
          "",
          new IllegalArgumentException("zarr.links.key-file=" + file + ": " + e.getMessage(), e));
    }
  }

  @Bean
  @ConditionalOnBean(LinkKeySource.class)
  @ConditionalOnMissingBean(name = "zarrLinks")
  WebFilter zarrLinks(LinkKeySource keys) {
    return ZarrWebFlux.links(keys);
  }

  @Bean
  @ConditionalOnBean({LinkKeySource.class, ZarrHierarchy.class})
  @ConditionalOnMissingBean(name = "zarrValues")
  RouterFunction<ServerResponse> zarrValues(
      ZarrWebFlux slices, ZarrHierarchy hierarchy, ZarrLinkProperties properties) {
    return slices.values(hierarchy.store(), properties.values());
  }
}
