package dev.zarrreactive.virtual;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.spi.Spi;
import dev.zarrreactive.store.AbstractStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.StoreCapability;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.store.ValuePlace;
import dev.zarrreactive.store.VersionedBytes;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The base of a read-only store whose values are inline, in objects of its own, or elsewhere. A
 * format tells the reference of a key and lists the keys; everything else is here.
 *
 * <p><b>Values.</b> A key without a reference is missing. A reference to an object that is missing,
 * too short or not the one that was referenced is an error, never a missing value. The range of a
 * value is taken inside of the bytes of its reference.
 *
 * <p><b>Versions.</b> A value has the version of its reference; where the reference has no ETag,
 * the version of the object belongs to it, if the store of the object has versions.
 *
 * <p><b>Errors</b> have the key of the value in their location, and name the object. What a
 * reference leads to that the reader has not allowed is an {@link
 * dev.zarrreactive.error.AccessDeniedException}, before any request.
 */
@Spi
public abstract class VirtualStore extends AbstractStore implements LocatedValues {
  private static final Set<StoreCapability> CAPABILITIES =
      Collections.unmodifiableSet(
          EnumSet.of(
              StoreCapability.READ,
              StoreCapability.LIST,
              StoreCapability.PARTIAL_READ,
              StoreCapability.VERSIONS));

  /** The references of one operation that are looked up at the same time. */
  private static final int TOGETHER = 64;

  private final VirtualContainers containers;

  /**
   * For subclasses.
   *
   * @param containers what the reader has allowed; {@link #close} leaves them open
   */
  protected VirtualStore(VirtualContainers containers) {
    this.containers = containers;
  }

  /** Emits what the format says of a key; empty where it has no value. */
  protected abstract Mono<Reference> reference(StoreKey key);

  /**
   * Emits what the format says of several keys, one answer for each and in the same order. By
   * default each is a {@link #reference} of its own, 64 at a time. A format whose references are in
   * memory, or come many at a time, overrides it.
   */
  protected Mono<List<Optional<Reference>>> references(List<StoreKey> keys) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(keys),
            TOGETHER,
            key -> reference(key).map(Optional::of).defaultIfEmpty(Optional.empty()))
        .collectList();
  }

  @Override
  public abstract Flux<StoreKey> listPrefix(StorePrefix prefix);

  @Override
  public Set<StoreCapability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Mono<Bytes> get(StoreKey key) {
    return value(key).flatMap(value -> value.read(null));
  }

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return value(key).flatMap(value -> value.read(range));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    return value(key).flatMap(value -> value.read(range, condition));
  }

  private Mono<ReferencedValue> value(StoreKey key) {
    return Mono.defer(() -> reference(key))
        .flatMap(reference -> value(key, reference))
        .onErrorMap(ZarrException.class, e -> e.at(Location.ofKey(key.value())));
  }

  private Mono<ReferencedValue> value(StoreKey key, Reference reference) {
    if (reference instanceof Reference.Inline inline) {
      return Mono.just(new InlineValue(key, inline));
    }
    if (reference instanceof Reference.Native own) {
      return Mono.just(ObjectValue.of(key, own));
    }
    VirtualLocation location = ((Reference.Virtual) reference).location();
    return containers
        .resolve(location)
        .map(resolved -> ObjectValue.of(key, location, resolved.object(), resolved.range()));
  }

  @Override
  public Mono<List<Optional<ValuePlace>>> places(List<StoreKey> keys) {
    return Mono.defer(() -> references(List.copyOf(keys)))
        .flatMap(
            references ->
                Concurrently.mapInOrder(Flux.fromIterable(references), TOGETHER, this::place)
                    .collectList())
        .onErrorReturn(
            ZarrException.class, Collections.nCopies(keys.size(), Optional.<ValuePlace>empty()));
  }

  /** Emits where a value lies; empty where it does not lie in an object, or cannot be located. */
  private Mono<Optional<ValuePlace>> place(Optional<Reference> reference) {
    Reference found = reference.orElse(null);
    if (found instanceof Reference.Native own) {
      StoredObject object = new StoredObject(own.store(), own.key(), ReadCondition.ALWAYS);
      return Mono.just(Optional.of(new ValuePlace(object, own.range())));
    }
    return found instanceof Reference.Virtual virtual
        ? containers
            .resolve(virtual.location())
            .map(
                resolved ->
                    Optional.ofNullable(resolved.range())
                        .map(range -> new ValuePlace(resolved.object(), range)))
            .onErrorReturn(ZarrException.class, Optional.empty())
        : Mono.just(Optional.empty());
  }

  @Override
  public Mono<Bytes> read(StoredObject object, ByteRange.Slice range) {
    return new ObjectReads(object, object.key(), object.toString(), false).read(range);
  }

  /** Completes; the owner of the containers closes them. */
  @Override
  public Mono<Void> close() {
    return Mono.empty();
  }
}
