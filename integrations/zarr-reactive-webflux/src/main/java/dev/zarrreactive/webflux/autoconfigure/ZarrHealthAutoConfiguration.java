package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.webflux.ZarrWebFlux;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
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
 * Adds the health {@code zarr}: whether the store answers. Of several hierarchies it has a
 * component for each, by the name of its bean. Spring Boot 4.0 has the types of 3.5 in another
 * package, so there is a class for each; only the one whose types are there is loaded.
 */
@AutoConfiguration(after = ZarrAutoConfiguration.class)
@ConditionalOnBean(ZarrHierarchy.class)
@ConditionalOnExpression(
    "${management.health.zarr.enabled:${management.health.defaults.enabled:true}}")
public final class ZarrHealthAutoConfiguration {
  @Bean
  Probes zarrProbes(
      Map<String, ZarrHierarchy> hierarchies,
      ObjectProvider<ZarrWebFlux> slices,
      ZarrProperties properties) {
    return new Probes(new TreeMap<>(hierarchies), slices, properties);
  }

  /** Asks the store of each hierarchy. */
  record Probes(
      Map<String, ZarrHierarchy> hierarchies,
      ObjectProvider<ZarrWebFlux> slices,
      ZarrProperties properties) {

    Mono<StoreProbe> ask(String name, ZarrHierarchy hierarchy) {
      ZarrProperties.Named own = properties.stores().get(name);
      Duration timeout = own == null ? null : own.healthTimeout();
      Boolean isRequired = own == null ? null : own.rootRequired();
      return StoreProbe.of(
          hierarchy,
          slices.getIfAvailable(),
          timeout == null ? properties.healthTimeout() : timeout,
          isRequired == null ? properties.rootRequired() : isRequired);
    }

    /**
     * Returns the contributor of the only hierarchy, or one of all.
     *
     * @param one makes the contributor of an answer
     * @param all makes one of several
     */
    <C> C contributor(Function<Mono<StoreProbe>, C> one, Function<Map<String, C>, C> all) {
      Map<String, C> each = new TreeMap<>();
      hierarchies.forEach(
          (name, hierarchy) -> each.put(name, one.apply(Mono.defer(() -> ask(name, hierarchy)))));
      return each.size() == 1 ? each.values().iterator().next() : all.apply(each);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.ReactiveHealthIndicator")
  static final class Boot3 {
    @Bean
    @ConditionalOnMissingBean(name = {"zarrHealthIndicator", "zarrHealthContributor"})
    org.springframework.boot.actuate.health.ReactiveHealthContributor zarrHealthContributor(
        Probes zarrProbes) {
      return zarrProbes
          .<org.springframework.boot.actuate.health.ReactiveHealthContributor>contributor(
              Boot3::indicator,
              org.springframework.boot.actuate.health.CompositeReactiveHealthContributor::fromMap);
    }

    private static org.springframework.boot.actuate.health.ReactiveHealthIndicator indicator(
        Mono<StoreProbe> answer) {
      return () ->
          answer.map(
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
    @ConditionalOnMissingBean(name = {"zarrHealthIndicator", "zarrHealthContributor"})
    org.springframework.boot.health.contributor.ReactiveHealthContributor zarrHealthContributor(
        Probes zarrProbes) {
      return zarrProbes
          .<org.springframework.boot.health.contributor.ReactiveHealthContributor>contributor(
              Boot4::indicator,
              org.springframework.boot.health.contributor.CompositeReactiveHealthContributor
                  ::fromMap);
    }

    private static org.springframework.boot.health.contributor.ReactiveHealthIndicator indicator(
        Mono<StoreProbe> answer) {
      return () ->
          answer.map(
              probe ->
                  new org.springframework.boot.health.contributor.Health.Builder()
                      .status(probe.status())
                      .withDetails(probe.details())
                      .build());
    }
  }
}
