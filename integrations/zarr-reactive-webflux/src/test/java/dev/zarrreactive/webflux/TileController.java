package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.dataset.Dataset;
import dev.zarrreactive.dataset.ReadVersions;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.encodings.ColourScale;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.geo.MapTiles;
import java.time.Duration;
import java.time.Instant;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Tiles of a map, and links to them. */
@RestController
@RequestMapping("/maps")
class TileController {
  private final ZarrHierarchy zarr;
  private final LinkKeys keys;

  TileController(ZarrHierarchy zarr, LinkKeys keys) {
    this.zarr = zarr;
    this.keys = keys;
  }

  // docs: webflux-tile
  private static final ColourScale KELVIN = ColourScale.of(ColourMap.VIRIDIS, 250, 310);

  @GetMapping("/{z}/{x}/{y}.png")
  Mono<ResponseEntity<Mono<byte[]>>> tile(
      @PathVariable int z, @PathVariable long x, @PathVariable long y) {
    MapTiles.Warp warp = MapTiles.Warp.BILINEAR;
    return Dataset.open(zarr, "maps")
        .flatMap(dataset -> MapTiles.of(dataset, "t2m"))
        .flatMap(
            tiles ->
                Mono.justOrEmpty(tiles.selection(z, x, y, warp))
                    .flatMap(
                        read ->
                            ReadVersions.tag(
                                    tiles.variable().array(),
                                    tiles.variable().storedSelection(read),
                                    tiles + " " + KELVIN)
                                .map(tag -> ResponseEntity.ok().eTag(tag))
                                .defaultIfEmpty(ResponseEntity.ok()))
                    .map(
                        response ->
                            response
                                .contentType(MediaType.IMAGE_PNG)
                                .body(
                                    tiles
                                        .picture(z, x, y, warp, KELVIN)
                                        .map(rgba -> Encodings.encode(Encodings.png(), rgba))
                                        .map(png -> png.toByteArray()))))
        .switchIfEmpty(Mono.just(ResponseEntity.notFound().build()));
  }

  // docs: end

  // docs: webflux-link
  @GetMapping("/link")
  String link() {
    Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
    return keys.sign("/zarr/maps", LinkKeys.Access.READ, tomorrow);
  }
  // docs: end
}
