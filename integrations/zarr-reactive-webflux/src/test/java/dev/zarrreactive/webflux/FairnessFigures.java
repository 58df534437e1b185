package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.testing.SlowAndQuickClients;
import dev.zarrreactive.testing.Waiting;
import java.util.Map;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Prints how long small slices take alone, and beside slow clients of large ones, in a minute; with
 * an argument what becomes of each client, for {@link FairnessTest}. For a JVM with {@code
 * -Xmx256m}, clients and service together.
 */
@Configuration(proxyBeanMethods = false)
public class FairnessFigures {
  private static final int CHUNKS = 48;
  private static final int CHUNK_BYTES = 4 << 20;

  @Bean
  GeneratedStore store() {
    return new GeneratedStore(CHUNKS, CHUNK_BYTES);
  }

  /** Runs them. */
  public static void main(String[] arguments) throws InterruptedException {
    boolean tells = arguments.length > 0;
    ConfigurableApplicationContext service =
        SliceService.start(
            tells ? Map.of("zarr.max-wait", "2s", "zarr.stall-timeout", "10m") : Map.of(),
            FairnessFigures.class);
    SlowAndQuickClients clients =
        new SlowAndQuickClients(
            SliceService.port(service),
            "/arrays/t2m?select=...",
            chunk -> "/arrays/t2m?select=" + chunk + ",0:1000");
    if (tells) {
      clients.tell();
      Waiting.eventually(
          "nothing is held",
          () ->
              service.getBean(ZarrHierarchy.class).bytesInFlight()
                      + service.getBean(ZarrWebFlux.class).slices()
                  == 0);
      System.out.println("nothing is held");
      System.exit(0);
    }
    System.out.println("Spring Boot " + SpringBootVersion.getVersion());
    clients.run();
    System.out.printf(
        "after all have left: %d bytes in flight, %d slices%n",
        service.getBean(ZarrHierarchy.class).bytesInFlight(),
        service.getBean(ZarrWebFlux.class).slices());
    System.exit(0);
  }
}
