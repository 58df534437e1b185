package dev.zarrreactive.stream;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.array.Chunk;
import dev.zarrreactive.array.selection.Selection;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

@Test
public class ChunksTckTest extends ChunkStreamVerification {
  @Override
  Flux<Chunk> stream(ZarrArray array) {
    return array.chunks(Selection.all());
  }
}
