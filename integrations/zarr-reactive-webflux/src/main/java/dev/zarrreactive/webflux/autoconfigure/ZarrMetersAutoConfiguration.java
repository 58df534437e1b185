package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.micrometer.ZarrMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Adds meters, if the service has a registry and zarr-reactive-micrometer. */
@AutoConfiguration(
    before = ZarrAutoConfiguration.class,
    afterName = {
      // Spring Boot 3.5 and 4.0
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, ZarrMeters.class})
public final class ZarrMetersAutoConfiguration {
  @Bean
  @ConditionalOnBean(MeterRegistry.class)
  @ConditionalOnMissingBean
  ZarrMeters zarrMeters(MeterRegistry registry) {
    return ZarrMeters.of(registry);
  }
}
