package dev.zarrreactive.hierarchy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testing.PublisherContract;
import dev.zarrreactive.testkit.InstrumentedStore;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The reactive-streams TCK over a stream of nodes. */
abstract class NodeStreamVerification extends PublisherContract<ZarrNode> {
  private static final int MOST_NODES = 300;

  /** The path of the node number {@code i}, counted from zero. */
  abstract String path(int i);

  abstract Flux<ZarrNode> stream(ZarrGroup group);

  @Override
  public long maxElementsFromPublisher() {
    return MOST_NODES;
  }

  @Override
  public Publisher<ZarrNode> createPublisher(long elements) {
    Store store = MemoryStore.create();
    Documents.putGroup(store, "");
    for (int i = 0; i < elements; i++) {
      Documents.putGroup(store, path(i));
    }
    return stream(Zarr.hierarchy(store).openGroup("").block());
  }

  @Override
  public Publisher<ZarrNode> createFailedPublisher() {
    InstrumentedStore store = InstrumentedStore.of(MemoryStore.create());
    Documents.putGroup(store, "");
    ZarrGroup group = Zarr.hierarchy(store).openGroup("").block();
    store.fail(request -> true, () -> new StoreException("broken", Location.UNKNOWN));
    return stream(group);
  }
}
