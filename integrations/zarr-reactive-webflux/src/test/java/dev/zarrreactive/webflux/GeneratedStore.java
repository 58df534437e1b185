package dev.zarrreactive.webflux;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.StoreCapability;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Mono;

/**
 * A store with one array of bytes, whose chunks are made when they are requested and are never
 * kept. The requests for chunks are counted.
 */
final class GeneratedStore extends AbstractStore {
  static final int CHUNKS = 48;
  static final int CHUNK_BYTES = 1 << 20;

  private final int chunkBytes;
  private final Bytes document;
  private final AtomicLong requests = new AtomicLong();

  GeneratedStore() {
    this(CHUNKS);
  }

  /** Creates a store of an array of this number of chunks. */
  GeneratedStore(int chunks) {
    this(chunks, CHUNK_BYTES);
  }

  /** Creates a store of an array of this number of chunks of this size. */
  GeneratedStore(int chunks, int chunkBytes) {
    this.chunkBytes = chunkBytes;
    this.document =
        Bytes.utf8(
            """
            {
              "zarr_format": 3,
              "node_type": "array",
              "shape": [%d, %d],
              "data_type": "uint8",
              "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, %d]}},
              "chunk_key_encoding": {"name": "default"},
              "fill_value": 0,
              "codecs": [{"name": "bytes"}]
            }
            """
                .formatted(chunks, chunkBytes, chunkBytes));
  }

  @Override
  public Set<StoreCapability> capabilities() {
    return Set.of(StoreCapability.READ);
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    String[] parts = key.value().split("/");
    if (parts.length < 2 || !parts[1].equals("c")) {
      return key.value().equals("t2m/zarr.json") ? Mono.just(document) : Mono.empty();
    }
    return Mono.fromSupplier(
        () -> {
          requests.incrementAndGet();
          return Bytes.wrap(chunk(Integer.parseInt(parts[2]), chunkBytes));
        });
  }

  /** How many chunks were requested. */
  long requests() {
    return requests.get();
  }

  /** The bytes of a chunk, unlike those of any other. */
  static byte[] chunk(int number) {
    return chunk(number, CHUNK_BYTES);
  }

  private static byte[] chunk(int number, int bytes) {
    byte[] chunk = new byte[bytes];
    for (int i = 0; i < chunk.length; i++) {
      chunk[i] = (byte) (i * 31 + (i >> 8) + number);
    }
    return chunk;
  }
}
