package dev.zarrreactive.webflux;

import dev.zarrreactive.arrow.ArrowTable;
import dev.zarrreactive.arrow.ArrowTensors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;

// docs: webflux-arrow
@RestController
class ArrowController {
  private final ServedDataset data;
  private final BufferAllocator allocator = new RootAllocator(64 << 20);

  ArrowController(ServedDataset data) {
    this.data = data;
  }

  @GetMapping(path = "/tensors/{variable}", produces = ArrowTable.MEDIA_TYPE)
  Flux<DataBuffer> chunks(@PathVariable String variable) {
    return data.dataset()
        .map(all -> ArrowTensors.of(all.variable(variable)).stream(allocator))
        .flatMapMany(stream -> DataBuffers.of(stream, DefaultDataBufferFactory.sharedInstance));
  }

  @GetMapping(path = "/frames/{variable}", produces = ArrowTable.MEDIA_TYPE)
  Flux<DataBuffer> rows(@PathVariable String variable, @RequestParam String time) {
    return data.dataset()
        .flatMap(all -> all.sel("time", time).dataset())
        .map(part -> ArrowTable.of(part, variable).stream(allocator))
        .flatMapMany(stream -> DataBuffers.of(stream, DefaultDataBufferFactory.sharedInstance));
  }

  // docs: end

  long allocated() {
    return allocator.getAllocatedMemory();
  }
}
