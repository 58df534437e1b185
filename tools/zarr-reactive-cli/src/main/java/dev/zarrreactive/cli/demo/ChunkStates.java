package dev.zarrreactive.cli.demo;

import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.chunkkey.ChunkKeyEncoding;
import dev.zarrreactive.observation.StoreObserver;
import dev.zarrreactive.observation.StoreOutcome;
import dev.zarrreactive.observation.StoreRequest;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The state of each chunk. Thread-safe. */
final class ChunkStates implements StoreObserver {
  /** The states of a chunk. */
  enum State {
    NOT_REQUESTED,
    IN_FLIGHT,
    WAITING,
    DRAWN
  }

  private final Map<String, State> byKey = new ConcurrentHashMap<>();

  @Override
  public void onStart(StoreRequest request) {
    byKey.put(request.target(), State.IN_FLIGHT);
  }

  @Override
  public void onEnd(StoreRequest request, StoreOutcome outcome) {
    byKey.put(request.target(), State.WAITING);
  }

  void drawn(ZarrArray array, long... index) {
    byKey.put(key(array, index), State.DRAWN);
  }

  State of(ZarrArray array, long... index) {
    return byKey.getOrDefault(key(array, index), State.NOT_REQUESTED);
  }

  private static String key(ZarrArray array, long... index) {
    String name = ChunkKeyEncoding.of(array.metadata().chunkKeyEncoding()).encode(index);
    StoreKey key = array.path().key(name);
    return key.value();
  }
}
