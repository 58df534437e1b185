package dev.zarrreactive.webflux;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import io.netty.channel.ChannelOption;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.reactive.context.ReactiveWebServerApplicationContext;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service that serves slices of an array, in a JVM of its own. It prints its port. */
@SpringBootApplication
public class SliceService {
  /** Starts the service, on a port that is free. */
  public static void main(String[] arguments) {
    SpringApplication service = new SpringApplication(SliceService.class);
    service.setDefaultProperties(
        Map.of(
            "server.port", "0", "server.address", "127.0.0.1", "spring.main.banner-mode", "off"));
    var context = (ReactiveWebServerApplicationContext) service.run(arguments);
    System.out.println("port " + context.getWebServer().getPort());
  }

  @Bean
  GeneratedStore store() {
    return new GeneratedStore();
  }

  @Bean
  ZarrHierarchy zarr(GeneratedStore store) {
    return Zarr.hierarchy(store);
  }

  /** Little is to be under way in the machine's network: what counts is in the service. */
  @Bean
  WebServerFactoryCustomizer<NettyReactiveWebServerFactory> smallSendBuffers() {
    return factory ->
        factory.addServerCustomizers(
            server -> server.childOption(ChannelOption.SO_SNDBUF, 64 << 10));
  }

  /** Tells what the service has done and holds. */
  @RestController
  static class Figures {
    private final GeneratedStore store;
    private final ZarrHierarchy zarr;

    Figures(GeneratedStore store, ZarrHierarchy zarr) {
      this.store = store;
      this.zarr = zarr;
    }

    @GetMapping(path = "/requests", produces = MediaType.TEXT_PLAIN_VALUE)
    String requests() {
      return Long.toString(store.requests());
    }

    @GetMapping(path = "/bytes-in-flight", produces = MediaType.TEXT_PLAIN_VALUE)
    String bytesInFlight() {
      return Long.toString(zarr.bytesInFlight());
    }
  }
}
