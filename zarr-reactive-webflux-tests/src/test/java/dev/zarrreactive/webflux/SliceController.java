package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.encoding.Encoding;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

// docs: webflux-controller
@RestController
class SliceController {
  private static final int PIECE_SIZE = 16 << 10;

  private final ZarrHierarchy zarr;
  private final DataBufferFactory buffers = DefaultDataBufferFactory.sharedInstance;

  SliceController(ZarrHierarchy zarr) {
    this.zarr = zarr;
  }

  @GetMapping(path = "/arrays/{name}", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
  Flux<DataBuffer> slice(@PathVariable String name, @RequestParam String select) {
    return zarr.openArray(name)
        .flatMapMany(array -> array.bytes(Selection.parse(select), PIECE_SIZE))
        .map(piece -> buffers.wrap(piece.asByteBuffer())); // a view: nothing is copied
  }

  // docs: end

  // docs: webflux-npy
  @GetMapping("/arrays/{name}.npy")
  Mono<ResponseEntity<Flux<DataBuffer>>> file(
      @PathVariable String name, @RequestParam String select) {
    Encoding npy = Encoding.npy(); // or png(), csv(), jsonLines(), ...
    Selection selection = Selection.parse(select);
    return zarr.openArray(name)
        .map(
            array ->
                ResponseEntity.ok()
                    .contentType(MediaType.parseMediaType(npy.mediaType()))
                    .headers(
                        headers ->
                            npy.length(array.metadata(), selection)
                                .ifPresent(headers::setContentLength))
                    .body(
                        array
                            .encode(selection, npy, PIECE_SIZE)
                            .map(piece -> buffers.wrap(piece.asByteBuffer()))));
  }
  // docs: end
}
