package dev.zarrreactive.webflux;

import static org.springframework.web.reactive.function.server.RouterFunctions.route;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.ResolvedSelection;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.encoding.Encoder;
import dev.zarrreactive.encoding.Encoding;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.encodings.GreyScale;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.metadata.NodeMetadata;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Endpoints of the documentation beside the controller of slices. */
@RestController
class MoreEndpoints {
  private final ZarrHierarchy zarr;

  MoreEndpoints(ZarrHierarchy zarr) {
    this.zarr = zarr;
  }

  // docs: webflux-picture
  @GetMapping("/pictures/{name}/{time}")
  Mono<ResponseEntity<ArraySlice>> picture(@PathVariable String name, @PathVariable int time) {
    Encoding kelvin = Encodings.png(GreyScale.of(250, 310));
    return ArraySlice.open(zarr, name, time + ",...")
        .map(
            slice ->
                ResponseEntity.ok().header("Cache-Control", "max-age=60").body(slice.as(kelvin)));
  }

  // docs: end

  // docs: webflux-chunks
  @GetMapping(
      path = "/chunks/{name}",
      produces = {MediaType.APPLICATION_NDJSON_VALUE, MediaType.TEXT_EVENT_STREAM_VALUE})
  Flux<Chunk> chunks(@PathVariable String name) {
    return zarr.openArray(name).flatMapMany(ZarrArray::chunks);
  }

  // docs: end

  // docs: webflux-events
  @GetMapping("/events/{name}")
  Flux<ServerSentEvent<Chunk>> events(@PathVariable String name) {
    return zarr.openArray(name)
        .flatMapMany(ZarrArray::chunks)
        .map(chunk -> ServerSentEvent.builder(chunk).event("chunk").build());
  }

  // docs: end

  @GetMapping("/fields/{name}")
  Flux<ServerSentEvent<Chunk>> fields(@PathVariable String name) {
    ServerSentEvent<Chunk> first =
        ServerSentEvent.<Chunk>builder().comment("two\nlines").retry(Duration.ofSeconds(3)).build();
    return Flux.concat(
        List.of(
            Mono.just(first),
            chunks(name).index((id, chunk) -> ServerSentEvent.builder(chunk).id("" + id).build())));
  }

  @GetMapping("/broken-event/{name}")
  Flux<ServerSentEvent<Chunk>> broken(@PathVariable String name) {
    return chunks(name).map(chunk -> ServerSentEvent.builder(chunk).id("a\n\ndata:b").build());
  }

  /** A class of the service with a chunk in it. */
  record Wrapped(String name, Chunk chunk) {}

  @GetMapping("/wrapped/{name}")
  Flux<ServerSentEvent<Wrapped>> wrapped(@PathVariable String name) {
    return chunks(name).map(chunk -> ServerSentEvent.builder(new Wrapped(name, chunk)).build());
  }

  @GetMapping("/unknown-events/{name}")
  Flux<ServerSentEvent<?>> unknown(@PathVariable String name) {
    return chunks(name).map(chunk -> ServerSentEvent.builder(chunk).build());
  }

  @GetMapping("/any-chunks/{name}")
  Flux<Chunk> any(@PathVariable String name) {
    return chunks(name);
  }

  @GetMapping("/first-chunk/{name}")
  Mono<Chunk> first(@PathVariable String name) {
    return chunks(name).next();
  }

  // docs: webflux-metadata
  @GetMapping("/metadata/{*path}")
  Mono<NodeMetadata> metadata(@PathVariable String path) {
    return zarr.open(path).map(ZarrNode::metadata);
  }

  // docs: end

  // docs: webflux-jackson
  record Summary(String name, DataType type, Shape shape, JsonObject attributes) {}

  @GetMapping("/summaries/{name}")
  Mono<Summary> summary(@PathVariable String name) {
    return zarr.openArray(name)
        .map(a -> new Summary(name, a.dataType(), a.shape(), a.attributes()));
  }

  // docs: end

  // docs: webflux-buffers
  @GetMapping(path = "/rows/{name}", produces = "text/plain")
  Flux<DataBuffer> rows(@PathVariable String name) {
    return zarr.openArray(name)
        .map(ArraySlice::of)
        .flatMapMany(
            slice -> slice.buffers(Encodings.jsonLines(), DefaultDataBufferFactory.sharedInstance));
  }

  // docs: end

  /** A format of the application's own: the elements without a header, in big-endian order. */
  record Own(Encoding raw) implements Encoding {
    @Override
    public String mediaType() {
      return "application/x-own";
    }

    @Override
    public String fileSuffix() {
      return ".own";
    }

    @Override
    public Encoder encoder(ArrayMetadata array, ResolvedSelection selection) {
      return raw.encoder(array, selection);
    }
  }

  @GetMapping(path = "/own/{name}", produces = "application/x-own")
  Mono<ArraySlice> own(@PathVariable String name) {
    Own own = new Own(Encoding.raw(ByteOrder.BIG_ENDIAN));
    return ArraySlice.open(zarr, name, "0,:2").map(slice -> slice.as(own));
  }

  @GetMapping("/attributes/{name}")
  Mono<JsonObject> attributes(@PathVariable String name) {
    return zarr.openArray(name).map(ZarrNode::attributes);
  }

  @GetMapping("/all")
  Flux<ArrayMetadata> all() {
    return zarr.openGroup("")
        .flatMapMany(ZarrGroup::children)
        .ofType(ZarrArray.class)
        .map(ZarrArray::metadata);
  }

  // docs: webflux-functional
  @Bean
  RouterFunction<ServerResponse> slices(ZarrHierarchy zarr) {
    return route()
        .GET(
            "/functional/{name}",
            request ->
                ServerResponse.ok()
                    .body(
                        ArraySlice.open(
                            zarr,
                            request.pathVariable("name"),
                            request.queryParam("select").orElse("...")),
                        ArraySlice.class))
        .build();
  }
  // docs: end
}
