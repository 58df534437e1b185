package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.webflux.ZarrWebFlux;
import java.io.IOException;
import java.nio.file.Files;
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
 * zarr.links.keys} or {@code zarr.links.key-file}, or a {@code LinkKeys} bean of the service's own.
 */
@AutoConfiguration(after = ZarrWebFluxAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@EnableConfigurationProperties(ZarrLinkProperties.class)
public final class ZarrLinksAutoConfiguration {
  @Bean
  @ConditionalOnProperty("zarr.links.keys")
  @ConditionalOnMissingBean
  LinkKeys zarrLinkKeys(ZarrLinkProperties properties) {
    return keys(Objects.requireNonNull(properties.keys()));
  }

  /** Reads the file while the service starts, on the thread that starts it. */
  @Bean
  @ConditionalOnProperty("zarr.links.key-file")
  @ConditionalOnMissingBean
  LinkKeys zarrLinkKeysOfFile(ZarrLinkProperties properties) {
    String file = Objects.requireNonNull(properties.keyFile());
    try {
      return keys(Files.readString(Path.of(file)));
    } catch (IOException e) {
      throw new BadConfigurationException(
          "",
          new IllegalArgumentException("zarr.links.key-file=" + file + " cannot be read: " + e, e));
    }
  }

  private static LinkKeys keys(String text) {
    try {
      return LinkKeys.of(text);
    } catch (IllegalArgumentException e) {
      throw new BadConfigurationException("", e);
    }
  }

  @Bean
  @ConditionalOnBean(LinkKeys.class)
  @ConditionalOnMissingBean(name = "zarrLinks")
  WebFilter zarrLinks(LinkKeys keys) {
    return ZarrWebFlux.links(keys);
  }

  @Bean
  @ConditionalOnBean({LinkKeys.class, ZarrHierarchy.class})
  @ConditionalOnMissingBean(name = "zarrValues")
  RouterFunction<ServerResponse> zarrValues(
      ZarrWebFlux slices, ZarrHierarchy hierarchy, ZarrLinkProperties properties) {
    return slices.values(hierarchy.store(), properties.values());
  }
}
