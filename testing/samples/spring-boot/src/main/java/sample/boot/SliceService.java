package sample.boot;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.webflux.ArraySlice;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** A service that answers with slices of the arrays below {@code zarr.location}. */
@SpringBootApplication
@RestController
public class SliceService {
  private final ZarrHierarchy zarr;

  public SliceService(ZarrHierarchy zarr) {
    this.zarr = zarr;
  }

  @GetMapping("/arrays/{*path}")
  public Mono<ArraySlice> slice(@PathVariable String path, @RequestParam String select) {
    return ArraySlice.open(zarr, path, select);
  }

  public static void main(String[] arguments) {
    SpringApplication.run(SliceService.class, arguments);
  }
}
