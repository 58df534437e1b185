package dev.zarrreactive.webflux.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;

/** Says at the start of a service of Spring MVC that slices need Spring WebFlux. */
@AutoConfiguration(after = ZarrAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
public final class ZarrServletAutoConfiguration {
  static final String ADVICE =
      "zarr-reactive-webflux answers with Spring WebFlux only, and this is a service of Spring MVC:"
          + " ArraySlice, ArrayBody and problem documents do not work in it. Use"
          + " spring-boot-starter-webflux in place of spring-boot-starter-web, or set"
          + " spring.main.web-application-type=reactive where both are there. The bean"
          + " ZarrHierarchy, its health and its meters work here, too";

  /** Logs the line. */
  public ZarrServletAutoConfiguration() {
    System.getLogger(ZarrServletAutoConfiguration.class.getName())
        .log(System.Logger.Level.WARNING, ADVICE);
  }
}
