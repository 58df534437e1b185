package dev.zarrreactive.simulation;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.virtual.Reference;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import dev.zarrreactive.virtual.VirtualStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * References to values that stand one behind the other in two objects, which are far away. A value
 * is put into its object when it is first referred to; some small ones stand in their references,
 * some belong to the data, and some are whole objects.
 */
final class SimulatedReferences extends VirtualStore {
  private static final String PREFIX = "memory://far/";

  private final Store values;
  private final MemoryStore objects;
  private final Store far;
  private final Map<Bytes, Reference> known = new HashMap<>();
  private final Map<String, Bytes> content = new HashMap<>();

  SimulatedReferences(Simulation run, Store values) {
    this(values, MemoryStore.create(), run);
  }

  private SimulatedReferences(Store values, MemoryStore objects, Simulation run) {
    this(values, objects, new SimulatedOrigin(run, objects, StoreKind.GUARDED));
  }

  private SimulatedReferences(Store values, MemoryStore objects, Store far) {
    super(VirtualContainers.builder().allow(PREFIX, far).build());
    this.values = values;
    this.objects = objects;
    this.far = far;
  }

  @Override
  protected Mono<Reference> reference(StoreKey key) {
    return Mono.fromSupplier(() -> find(key));
  }

  private @Nullable Reference find(StoreKey key) {
    Bytes value = Immediately.get(values.get(key));
    return value == null ? null : known.computeIfAbsent(value, any -> refer(key, value));
  }

  private Reference refer(StoreKey key, Bytes value) {
    int kind = Math.floorMod(key.hashCode(), 7);
    if (kind == 0) {
      return new Reference.Inline(value);
    }
    if (kind == 1) {
      StoreKey whole = StoreKey.of("whole" + known.size());
      Immediately.get(objects.set(whole, value));
      return new Reference.Virtual(VirtualLocation.whole(PREFIX + whole));
    }
    String object = "packed" + kind % 2;
    Bytes before = content.getOrDefault(object, Bytes.EMPTY);
    Bytes gap = Bytes.wrap(new byte[kind]);
    Bytes after = Bytes.join(List.of(before, gap, value));
    content.put(object, after);
    Immediately.get(objects.set(StoreKey.of(object), after));
    long offset = (long) before.size() + gap.size();
    return kind == 2
        ? new Reference.Native(
            far, StoreKey.of(object), new ByteRange.Slice(offset, value.size()), null)
        : new Reference.Virtual(VirtualLocation.of(PREFIX + object, offset, value.size()));
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return values.listPrefix(prefix);
  }

  @Override
  public String toString() {
    return "SimulatedReferences";
  }
}
