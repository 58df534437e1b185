package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The service over a store that counts, in a JVM of its own. It prints its port. */
@Configuration(proxyBeanMethods = false)
public class SlowService {
  /** Starts the service, on a port that is free; its clients may stop for as long as a test. */
  public static void main(String[] arguments) {
    Map<String, Object> patient = Map.of("zarr.stall-timeout", "10m");
    System.out.println("port " + SliceService.port(SliceService.start(patient, SlowService.class)));
  }

  @Bean
  GeneratedStore store() {
    return new GeneratedStore();
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
