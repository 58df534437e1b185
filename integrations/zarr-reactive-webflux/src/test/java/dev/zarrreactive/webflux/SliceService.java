package dev.zarrreactive.webflux;

import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.netty.http.client.HttpClient;

/** The service of the documentation. Spring Boot finds everything but its controllers. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({SliceController.class, MoreEndpoints.class})
public class SliceService {
  /** Starts the service on a port that is free. */
  static ConfigurableApplicationContext start(Map<String, Object> properties, Class<?>... more) {
    return start(properties, context -> {}, more);
  }

  /** Starts the service over a store. */
  static ConfigurableApplicationContext start(
      Store store, Map<String, Object> properties, Class<?>... more) {
    return start(
        properties,
        context ->
            ((GenericApplicationContext) context)
                .registerBean(
                    "store",
                    Store.class,
                    () -> store,
                    bean -> bean.setDestroyMethodName(AbstractBeanDefinition.INFER_METHOD)),
        more);
  }

  /** Starts the service with beans that an initializer adds. */
  static ConfigurableApplicationContext start(
      Map<String, Object> properties,
      ApplicationContextInitializer<ConfigurableApplicationContext> beans,
      Class<?>... more) {
    Map<String, Object> all = new TreeMap<>(properties);
    all.put("server.port", "0");
    all.put("server.address", "127.0.0.1");
    all.put("spring.main.banner-mode", "off");
    Class<?>[] sources = new Class<?>[more.length + 1];
    sources[0] = SliceService.class;
    System.arraycopy(more, 0, sources, 1, more.length);
    SpringApplication service = new SpringApplication(sources);
    service.setDefaultProperties(all);
    service.addInitializers(beans);
    return service.run();
  }

  static int port(ConfigurableApplicationContext service) {
    return Integer.parseInt(service.getEnvironment().getRequiredProperty("local.server.port"));
  }

  static WebTestClient client(ConfigurableApplicationContext service) {
    // a connection for each request: none outlives the service that it was made to
    return WebTestClient.bindToServer(new ReactorClientHttpConnector(HttpClient.newConnection()))
        .baseUrl("http://127.0.0.1:" + port(service))
        .responseTimeout(Duration.ofSeconds(60)) // 5 are the default
        .build();
  }
}
