package dev.zarrreactive.webflux.autoconfigure;

import dev.zarrreactive.jackson.ZarrJackson2Module;
import dev.zarrreactive.jackson.ZarrJackson3Module;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Adds the modules of zarr-reactive-jackson, so that metadata stand in responses of the service's
 * own classes, too: for Jackson 2, which Spring Boot 3.5 uses, and for Jackson 3, which 4 uses.
 */
@AutoConfiguration
@ConditionalOnClass(name = "dev.zarrreactive.jackson.ZarrJackson2Module")
public final class ZarrJacksonAutoConfiguration {

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "com.fasterxml.jackson.databind.module.SimpleModule")
  static final class Jackson2 {
    @Bean
    @ConditionalOnMissingBean
    ZarrJackson2Module zarrJackson2Module() {
      return new ZarrJackson2Module();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "tools.jackson.databind.module.SimpleModule")
  static final class Jackson3 {
    @Bean
    @ConditionalOnMissingBean
    ZarrJackson3Module zarrJackson3Module() {
      return new ZarrJackson3Module();
    }
  }
}
