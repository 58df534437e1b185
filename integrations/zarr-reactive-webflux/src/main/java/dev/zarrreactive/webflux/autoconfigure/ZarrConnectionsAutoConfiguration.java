package dev.zarrreactive.webflux.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Bounds the memory of connections of the server of reactor-netty. Spring Boot 4.0 has the type of
 * 3.5 in another package, so there is a class for each.
 */
@AutoConfiguration(after = ZarrAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(name = "reactor.netty.http.server.HttpServer")
public final class ZarrConnectionsAutoConfiguration {
  private static SlowConnections bounds(ZarrProperties properties) {
    return new SlowConnections(
        Math.toIntExact(properties.maxUnsent().toBytes()),
        properties.stallTimeout(),
        properties.leastSpeed().toBytes());
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.web.embedded.netty.NettyServerCustomizer")
  static final class Boot3 {
    @Bean
    @ConditionalOnMissingBean(name = "zarrConnections")
    org.springframework.boot.web.embedded.netty.NettyServerCustomizer zarrConnections(
        ZarrProperties properties) {
      return bounds(properties)::on;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.reactor.netty.NettyServerCustomizer")
  static final class Boot4 {
    @Bean
    @ConditionalOnMissingBean(name = "zarrConnections")
    org.springframework.boot.reactor.netty.NettyServerCustomizer zarrConnections(
        ZarrProperties properties) {
      return bounds(properties)::on;
    }
  }
}
