package dev.zarrreactive.webflux;

import static org.springframework.web.reactive.function.server.RouterFunctions.route;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.dataset.ExactStatistics;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.NodeMetadata;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

// docs: webflux-writes
@RestController
class WriteController {
  private final ZarrHierarchy zarr;

  WriteController(ZarrHierarchy zarr) {
    this.zarr = zarr;
  }

  @PutMapping("/arrays/{name}")
  Mono<Void> write(
      @PathVariable String name,
      @RequestParam(defaultValue = "...") String select,
      @RequestBody ArrayBody body) {
    return zarr.openArray(name).flatMap(array -> body.writeTo(array, select));
  }

  @PostMapping("/arrays/{name}")
  Mono<NodeMetadata> append(@PathVariable String name, @RequestBody ArrayBody body) {
    return zarr.openArray(name).flatMap(body::appendTo).map(ZarrArray::metadata);
  }

  // docs: end

  // docs: webflux-body
  record Extremes(Shape shape, NdArray min, NdArray max) {}

  @PostMapping("/extremes")
  Mono<Extremes> extremes(@RequestBody NdArray values) {
    ExactStatistics all = ExactStatistics.of(values);
    return Mono.just(
        new Extremes(values.shape(), all.min().orElseThrow(), all.max().orElseThrow()));
  }

  // docs: end

  // docs: webflux-conditional
  @GetMapping("/versions/{name}")
  Mono<ArraySlice> version(@PathVariable String name, @RequestParam String select) {
    return ArraySlice.open(zarr, name, select).map(ArraySlice::conditional);
  }

  @PatchMapping("/units/{name}")
  Mono<JsonObject> units(
      @PathVariable String name, @RequestParam String units, @RequestHeader HttpHeaders headers) {
    RequestConditions conditions = RequestConditions.of(headers);
    return zarr.openArray(name)
        .flatMap(
            array ->
                array.updateAttributes(now -> conditions.requireMatch(now).with("units", units)))
        .map(ZarrArray::attributes);
  }

  // docs: end

  // docs: webflux-functional-write
  @Bean
  RouterFunction<ServerResponse> writes(ZarrHierarchy zarr) {
    return route()
        .PUT(
            "/functional/{name}",
            request ->
                zarr.openArray(request.pathVariable("name"))
                    .zipWith(request.bodyToMono(ArrayBody.class))
                    .flatMap(both -> both.getT2().writeTo(both.getT1(), "..."))
                    .then(ServerResponse.noContent().build()))
        .build();
  }

  // docs: end

  /** A read and a selection of the program's own, by texts of the client. */
  @GetMapping("/sums/{name}")
  Mono<Double> sum(@PathVariable String name, @RequestParam String select) {
    return zarr.openArray(name)
        .flatMap(array -> array.read(select))
        .map(values -> ExactStatistics.of(values).mean().orElse(0));
  }
}
