package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.micrometer.ZarrObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Adds observations of operations and of requests to the store, of which a tracer makes spans, if
 * the service has Micrometer Tracing, a registry and zarr-reactive-micrometer. Without a tracer the
 * meters tell the same for less.
 */
@AutoConfiguration(
    before = ZarrAutoConfiguration.class,
    afterName = {
      // Spring Boot 3.5 and 4.0
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration"
    })
@ConditionalOnClass(
    value = {ObservationRegistry.class, ZarrObservations.class},
    name = "io.micrometer.tracing.Tracer")
public final class ZarrObservationsAutoConfiguration {
  @Bean
  @ConditionalOnBean(ObservationRegistry.class)
  @ConditionalOnMissingBean
  ZarrObservations zarrObservations(ObservationRegistry registry) {
    return ZarrObservations.of(registry);
  }
}
