package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.webflux.ZarrWebFlux;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/**
 * Adds the health {@code zarr}: whether the store answers. Spring Boot 4.0 has the types of 3.5 in
 * another package, so there is a class for each; only the one whose types are there is loaded.
 */
@AutoConfiguration(after = ZarrAutoConfiguration.class)
@ConditionalOnBean(ZarrHierarchy.class)
@ConditionalOnExpression(
    "${management.health.zarr.enabled:${management.health.defaults.enabled:true}}")
public final class ZarrHealthAutoConfiguration {
  private static Mono<StoreProbe> probe(
      ZarrHierarchy hierarchy, ObjectProvider<ZarrWebFlux> slices, ZarrProperties properties) {
    return StoreProbe.of(
        hierarchy, slices.getIfAvailable(), properties.healthTimeout(), properties.rootRequired());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.ReactiveHealthIndicator")
  static final class Boot3 {
    @Bean
    @ConditionalOnMissingBean(name = "zarrHealthIndicator")
    org.springframework.boot.actuate.health.ReactiveHealthIndicator zarrHealthIndicator(
        ZarrHierarchy hierarchy, ObjectProvider<ZarrWebFlux> slices, ZarrProperties properties) {
      return () ->
          probe(hierarchy, slices, properties)
              .map(
                  probe ->
                      new org.springframework.boot.actuate.health.Health.Builder()
                          .status(probe.status())
                          .withDetails(probe.details())
                          .build());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.ReactiveHealthIndicator")
  static final class Boot4 {
    @Bean
    @ConditionalOnMissingBean(name = "zarrHealthIndicator")
    org.springframework.boot.health.contributor.ReactiveHealthIndicator zarrHealthIndicator(
        ZarrHierarchy hierarchy, ObjectProvider<ZarrWebFlux> slices, ZarrProperties properties) {
      return () ->
          probe(hierarchy, slices, properties)
              .map(
                  probe ->
                      new org.springframework.boot.health.contributor.Health.Builder()
                          .status(probe.status())
                          .withDetails(probe.details())
                          .build());
    }
  }
}
