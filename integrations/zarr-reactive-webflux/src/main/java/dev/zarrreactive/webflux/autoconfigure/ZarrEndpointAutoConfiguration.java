package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.webflux.ZarrWebFlux;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Adds the endpoint {@code zarr} to the Actuator. As all of Spring Boot but the health, it is not
 * reached over the web before {@code management.endpoints.web.exposure.include} names it.
 */
@AutoConfiguration(after = ZarrAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(ZarrHierarchy.class)
public final class ZarrEndpointAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint(ZarrEndpoint.class)
  ZarrEndpoint zarrEndpoint(
      Map<String, ZarrHierarchy> hierarchies, ObjectProvider<ZarrWebFlux> slices) {
    return new ZarrEndpoint(hierarchies, slices);
  }
}
