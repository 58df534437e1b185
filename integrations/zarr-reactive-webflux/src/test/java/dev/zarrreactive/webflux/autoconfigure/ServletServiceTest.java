package dev.zarrreactive.webflux.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.webflux.ServedDataset;
import dev.zarrreactive.webflux.ZarrWebFlux;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

/** A service of Spring MVC with this module. */
class ServletServiceTest {
  @TempDir private Path directory;

  @Test
  void a_service_of_spring_mvc_is_told_at_its_start_what_to_use() {
    List<String> lines = new ArrayList<>();
    Handler noting =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            lines.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger(ZarrServletAutoConfiguration.class.getName());
    log.addHandler(noting);
    try (AnnotationConfigWebApplicationContext service =
        new AnnotationConfigWebApplicationContext()) {
      service.setServletContext(new MockServletContext());
      service
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource("test", Map.of("zarr.location", directory.toString())));
      service.register(
          ZarrAutoConfiguration.class,
          ZarrServletAutoConfiguration.class,
          ZarrWebFluxAutoConfiguration.class);
      service.refresh();
      assertThat(service.getBean(ZarrHierarchy.class)).isNotNull();
      assertThat(service.getBeanNamesForType(ZarrWebFlux.class)).isEmpty();
      assertThat(service.getBeanNamesForType(ServedDataset.class)).isEmpty();
    } finally {
      log.removeHandler(noting);
    }
    assertThat(lines).containsExactly(ZarrServletAutoConfiguration.ADVICE);
    assertThat(lines.get(0)).contains("spring-boot-starter-webflux").doesNotContain("\n");
  }
}
