package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

// docs: webflux-controller
@RestController
class SliceController {
  private final ZarrHierarchy zarr;

  SliceController(ZarrHierarchy zarr) {
    this.zarr = zarr;
  }

  @GetMapping("/arrays/{*path}")
  Mono<ArraySlice> slice(@PathVariable String path, @RequestParam String select) {
    return ArraySlice.open(zarr, path, select);
  }
}
// docs: end
