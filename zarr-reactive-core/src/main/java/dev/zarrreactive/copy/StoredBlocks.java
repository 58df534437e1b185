package dev.zarrreactive.copy;

import dev.zarrreactive.internal.hierarchy.StoredChunks;
import java.util.Arrays;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The blocks of a copy of which a chunk is stored in the source. */
final class StoredBlocks {
  private StoredBlocks() {}

  /** Emits the blocks that have elements of a stored chunk, in C order. */
  static Mono<long[]> blocks(Flux<StoredChunks.Stored> stored, ChunkBlocks blocks) {
    return stored
        .collect(
            Numbers::new,
            (numbers, chunk) -> blocks.numbers(chunk.start(), chunk.end(), numbers::add))
        .map(Numbers::sorted);
  }

  /** Distinct numbers: 8 bytes each. */
  private static final class Numbers {
    private long[] numbers = new long[1 << 10];
    private int size;

    void add(long number) {
      if (size > 0 && numbers[size - 1] == number) {
        return;
      }
      if (size == numbers.length) {
        compact();
        if (size > numbers.length / 2) {
          numbers = Arrays.copyOf(numbers, Math.multiplyExact(2, numbers.length));
        }
      }
      numbers[size++] = number;
    }

    private void compact() {
      Arrays.sort(numbers, 0, size);
      int kept = 0;
      for (int i = 0; i < size; i++) {
        if (kept == 0 || numbers[i] != numbers[kept - 1]) {
          numbers[kept++] = numbers[i];
        }
      }
      size = kept;
    }

    long[] sorted() {
      compact();
      return Arrays.copyOf(numbers, size);
    }
  }
}
