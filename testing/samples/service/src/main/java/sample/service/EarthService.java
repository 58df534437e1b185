package sample.service;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.credentials.LinkKeySource;
import dev.zarrreactive.credentials.LinkKeys;
import dev.zarrreactive.dataset.ReadVersions;
import dev.zarrreactive.geo.MapTiles;
import dev.zarrreactive.geo.MapTiles.Warp;
import dev.zarrreactive.encodings.ColourMap;
import dev.zarrreactive.encodings.ColourScale;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.metadata.NodeMetadata;
import dev.zarrreactive.webflux.ArrayBody;
import dev.zarrreactive.webflux.ArraySlice;
import dev.zarrreactive.webflux.DatasetTable;
import dev.zarrreactive.webflux.ServedDataset;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Values, writes, tiles, streams and links of one dataset, beside slices of another hierarchy. */
@SpringBootApplication
@RestController
public class EarthService {
  private static final ColourScale KELVIN = ColourScale.of(ColourMap.VIRIDIS, 250, 310);

  private final ZarrHierarchy earth;
  private final ZarrHierarchy archive;
  private final ServedDataset data;
  private final LinkKeySource links;

  public EarthService(
      ZarrHierarchy earth,
      @Qualifier("archive") ZarrHierarchy archive,
      ServedDataset data,
      LinkKeySource links) {
    this.earth = earth;
    this.archive = archive;
    this.data = data;
    this.links = links;
  }

  @GetMapping("/values/{variable}")
  public Mono<ArraySlice> values(
      @PathVariable String variable, @RequestParam(defaultValue = "") List<String> sel) {
    return data.slice(variable, sel);
  }

  @GetMapping("/tables/{variable}")
  public Mono<DatasetTable> table(
      @PathVariable String variable, @RequestParam(defaultValue = "") List<String> sel) {
    return data.table(sel, variable);
  }

  @GetMapping("/arrays/{*path}")
  public Mono<ArraySlice> slice(
      @PathVariable String path, @RequestParam(defaultValue = "...") String select) {
    return ArraySlice.open(earth, path, select).map(ArraySlice::conditional);
  }

  @GetMapping("/archive/{*path}")
  public Mono<ArraySlice> archived(
      @PathVariable String path, @RequestParam(defaultValue = "...") String select) {
    return ArraySlice.open(archive, path, select);
  }

  @PutMapping("/arrays/{*path}")
  public Mono<Void> write(
      @PathVariable String path,
      @RequestParam(defaultValue = "...") String select,
      @RequestBody ArrayBody body) {
    return earth.openArray(path).flatMap(array -> body.writeTo(array, select));
  }

  @PostMapping("/arrays/{*path}")
  public Mono<NodeMetadata> append(@PathVariable String path, @RequestBody ArrayBody body) {
    return earth.openArray(path).flatMap(body::appendTo).map(ZarrArray::metadata);
  }

  @GetMapping(path = "/tiles/{variable}/{time}/{z}/{x}/{y}.png", produces = "image/png")
  public Mono<ResponseEntity<Mono<byte[]>>> tile(
      @PathVariable String variable,
      @PathVariable String time,
      @PathVariable int z,
      @PathVariable long x,
      @PathVariable long y) {
    return data.dataset()
        .flatMap(all -> all.sel("time", time).dataset())
        .flatMap(map -> MapTiles.of(map, variable))
        .flatMap(tiles -> tile(tiles, z, x, y))
        .defaultIfEmpty(ResponseEntity.notFound().build());
  }

  /** Returns a tile with an ETag of what it reads; empty outside of the map. */
  private static Mono<ResponseEntity<Mono<byte[]>>> tile(MapTiles tiles, int z, long x, long y) {
    Mono<byte[]> png =
        tiles
            .picture(z, x, y, Warp.BILINEAR, KELVIN)
            .map(rgba -> Encodings.encode(Encodings.png(), rgba).toByteArray());
    return Mono.justOrEmpty(tiles.selection(z, x, y, Warp.BILINEAR))
        .map(tiles.variable()::storedSelection)
        .flatMap(
            read ->
                ReadVersions.tag(tiles.variable().array(), read, tiles + " " + KELVIN)
                    .map(tag -> ResponseEntity.ok().eTag(tag).body(png))
                    .defaultIfEmpty(ResponseEntity.ok(png)));
  }

  /** Chunks as JSON lines, server-sent events, NumPy files or frames, as the client accepts. */
  @GetMapping("/chunks/{*path}")
  public Flux<Chunk> chunks(@PathVariable String path) {
    return earth.openArray(path).flatMapMany(ZarrArray::chunks);
  }

  @GetMapping("/links/{*path}")
  public Mono<String> link(@PathVariable String path) {
    Instant tomorrow = Instant.now().plus(Duration.ofDays(1));
    return links.keys().map(keys -> keys.sign("/zarr" + path, LinkKeys.Access.READ, tomorrow));
  }

  public static void main(String[] arguments) {
    SpringApplication.run(EarthService.class, arguments);
  }
}
