package dev.zarrreactive.webflux;

import dev.zarrreactive.ZarrHierarchy;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

// docs: webflux-values
@RestController
class DatasetController {
  private final ServedDataset data;
  private final ZarrHierarchy zarr;

  DatasetController(ServedDataset data, ZarrHierarchy zarr) {
    this.data = data;
    this.zarr = zarr;
  }

  @GetMapping("/values/{variable}")
  Mono<ArraySlice> values(
      @PathVariable String variable, @RequestParam(defaultValue = "") List<String> sel) {
    return data.slice(variable, sel);
  }

  @GetMapping("/series/{variable}")
  Mono<ArraySlice> series(
      @PathVariable String variable, @RequestParam double lat, @RequestParam double lon) {
    return data.slice(variable, List.of("lat~" + lat, "lon~" + lon));
  }

  @GetMapping("/tiles/{variable}/{time}/{y}/{x}")
  Mono<ArraySlice> tile(
      @PathVariable String variable,
      @PathVariable String time,
      @PathVariable int y,
      @PathVariable int x) {
    String rows = 2 * y + ":" + 2 * (y + 1);
    String columns = 2 * x + ":" + 2 * (x + 1);
    return data.slice(variable, List.of("time:" + time), rows + "," + columns);
  }

  @GetMapping("/tables/{variable}")
  Mono<DatasetTable> table(@PathVariable String variable, @RequestParam List<String> sel) {
    return data.table(sel, variable);
  }

  @GetMapping("/decoded/{name}")
  Mono<ArraySlice> decoded(@PathVariable String name, @RequestParam String select) {
    return ArraySlice.open(zarr, name, select).map(ArraySlice::decoded);
  }
}
// docs: end
