package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

// docs: webflux-stores
@RestController
class ArchiveController {
  private final ZarrHierarchy era5;
  private final ZarrHierarchy tiles;

  ArchiveController(
      @Qualifier("era5") ZarrHierarchy era5, @Qualifier("tiles") ZarrHierarchy tiles) {
    this.era5 = era5;
    this.tiles = tiles;
  }

  @GetMapping("/era5/{*path}")
  Mono<ArraySlice> slice(@PathVariable String path, @RequestParam String select) {
    return ArraySlice.open(era5, path, select);
  }

  @GetMapping("/tiles/{*path}")
  Mono<ArraySlice> tile(@PathVariable String path, @RequestParam String select) {
    return ArraySlice.open(tiles, path, select);
  }
}
// docs: end
