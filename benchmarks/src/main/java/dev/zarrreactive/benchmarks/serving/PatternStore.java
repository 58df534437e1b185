package dev.zarrreactive.benchmarks.serving;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/** A store of one array of 4 GiB, whose chunks are made when they are asked for. */
final class PatternStore extends AbstractStore {
  static final int ROWS = 4096;
  static final int ROW_BYTES = 1 << 20;

  private static final String CHUNKS = "a/c/";
  private static final Bytes DOCUMENT =
      Bytes.utf8(
          """
          {"zarr_format": 3, "node_type": "array", "shape": [%d, %d], "data_type": "uint8",
           "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, %d]}},
           "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
           "codecs": [{"name": "bytes"}]}
          """
              .formatted(ROWS, ROW_BYTES, ROW_BYTES));

  private final AtomicLong chunks = new AtomicLong();

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    String value = key.value();
    if (!value.startsWith(CHUNKS)) {
      return value.equals("a/zarr.json") ? Mono.just(DOCUMENT) : Mono.empty();
    }
    int row = Integer.parseInt(value.substring(CHUNKS.length(), value.lastIndexOf('/')));
    return Mono.fromSupplier(
        () -> {
          chunks.incrementAndGet();
          byte[] chunk = new byte[ROW_BYTES];
          for (int i = 0; i < ROW_BYTES; i++) {
            chunk[i] = element(row, i);
          }
          return Bytes.wrap(chunk);
        });
  }

  static byte element(int row, int column) {
    return (byte) (column * 31 + (column >> 8) + row);
  }

  /** Returns the number of chunks that were read. */
  long chunks() {
    return chunks.get();
  }
}
