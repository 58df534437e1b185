package dev.zarrreactive.http;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.faults.Connected;
import dev.zarrreactive.faults.FaultMatrix;
import dev.zarrreactive.faults.Occurrence;
import dev.zarrreactive.faults.Outcome;
import dev.zarrreactive.faults.Place;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.virtual.Reference;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import dev.zarrreactive.virtual.VirtualStore;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.HttpProtocol;

/** The matrix of faults for values that lie in objects over HTTP. */
class VirtualFaultMatrixTest extends FaultMatrix {
  private static final String PREFIX = "http://objects/";

  private final MemoryStore values = MemoryStore.create();
  private final Map<StoreKey, Integer> sizes = new ConcurrentHashMap<>();

  @Override
  protected void seed(String key, Bytes value) {
    values.set(StoreKey.of(key), value).block();
    sizes.put(StoreKey.of(key), value.size());
  }

  @Override
  protected FaultyServer serve() {
    return FaultyServer.of(values);
  }

  @Override
  protected Connected connect(FaultyServer server, Duration stallTimeout) {
    Connected objects = CountedHttp.store(server, HttpProtocol.HTTP11, stallTimeout);
    Store references = new References(objects.store());
    return objects.behind(references);
  }

  /** Documents are whole objects, other values parts of them, of the size that they had. */
  private final class References extends VirtualStore {
    References(Store objects) {
      super(VirtualContainers.builder().allow(PREFIX, objects).build());
    }

    @Override
    protected Mono<Reference> reference(StoreKey key) {
      return Mono.fromSupplier(() -> sizes.get(key))
          .map(
              size ->
                  key.value().endsWith("zarr.json")
                      ? VirtualLocation.whole(PREFIX + key)
                      : VirtualLocation.of(PREFIX + key, 0, size))
          .map(Reference.Virtual::new);
    }

    @Override
    public Flux<StoreKey> listPrefix(StorePrefix prefix) {
      return Flux.defer(() -> Flux.fromIterable(sizes.keySet())).filter(prefix::contains);
    }

    @Override
    public String toString() {
      return "References[" + sizes.size() + "]";
    }
  }

  /**
   * An object that is missing is an error, for there is a reference to it. Chunks are ranges of
   * objects, so that a server that sends another size or another page breaks the protocol.
   */
  @Override
  protected Outcome outcome(String fault, Place place, Occurrence occurrence, Outcome usual) {
    return switch (fault) {
      case "404" -> Outcome.STORE_ERROR;
      case "206 instead of 200" -> place == Place.CHUNK ? Outcome.RIGHT_VALUES : usual;
      case "a value of half its size", "a value of twice its size", "another page" ->
          usual == Outcome.CODEC_ERROR ? Outcome.STORE_ERROR : usual;
      default -> usual;
    };
  }
}
