package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.spi.Spi;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The base of a store: an operation that a store does not override is composed of others, or
 * refused.
 *
 * <table>
 *   <caption>How operations are composed</caption>
 *   <tr><th>operation</th><th>made from</th></tr>
 *   <tr><td>{@code get(key, range)}</td><td>{@code get(key)}, cut; a value above the bound of
 *       {@link ByteRange.Whole} is refused after it was read, so a store of large values overrides
 *       it</td></tr>
 *   <tr><td>{@code getVersioned}</td><td>{@code get}, without a version; refused on condition</td>
 *       </tr>
 *   <tr><td>{@code set} of pieces</td><td>{@code set} of the value, joined in memory</td></tr>
 *   <tr><td>{@code erasePrefix}</td><td>{@code listPrefix} and {@code erase}, at most 64 at a time</td></tr>
 *   <tr><td>{@code list}</td><td>{@code listPrefix} of the root</td></tr>
 *   <tr><td>{@code listPrefix}</td><td>{@code list}, filtered; a store with {@link
 *       StoreCapability#LIST} overrides one of the two</td></tr>
 *   <tr><td>{@code listDir}</td><td>{@code listPrefix}; it remembers the prefixes that it found, at
 *       most 1,048,576</td></tr>
 *   <tr><td>{@code set}, {@code erase}, also of one version</td><td>nothing: refused</td></tr>
 *   <tr><td>{@code close}</td><td>nothing: completes</td></tr>
 * </table>
 *
 * <p>A store overrides {@link #get(StoreKey)} and the operations that it supports, and declares
 * them in {@link #capabilities()}, which the fallbacks check first. {@code StoreContract} of the
 * testkit tests it.
 */
@Spi
public abstract class AbstractStore implements Store {
  /** The most values that are erased at a time. */
  private static final int ERASURES = 64;

  /** For subclasses. */
  protected AbstractStore() {}

  @Override
  public Mono<Bytes> get(StoreKey key, ByteRange range) {
    return get(key).map(value -> range.of(key, value));
  }

  @Override
  public Mono<VersionedBytes> getVersioned(
      StoreKey key, @Nullable ByteRange range, ReadCondition condition) {
    if (!condition.equals(ReadCondition.ALWAYS)) {
      return Mono.error(() -> refusal(StoreCapability.VERSIONS, "read on condition", key));
    }
    return (range == null ? get(key) : get(key, range))
        .map(bytes -> new VersionedBytes(bytes, null));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return Mono.error(() -> refusal(StoreCapability.WRITE, "set a value", key));
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return lacks(StoreCapability.WRITE)
        ? Mono.error(() -> refusal(StoreCapability.WRITE, "set a value", key))
        : Fallbacks.joined(this, key, pieces).flatMap(value -> set(key, value, precondition));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return Mono.error(() -> refusal(StoreCapability.ERASE, "erase a value", key));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    StoreCapability lacking =
        lacks(StoreCapability.ERASE) ? StoreCapability.ERASE : StoreCapability.CONDITIONAL_ERASE;
    return Mono.error(() -> refusal(lacking, "erase one version of a value", key));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    for (StoreCapability needed : List.of(StoreCapability.ERASE, StoreCapability.LIST)) {
      if (lacks(needed)) {
        return Mono.error(() -> refusal(needed, "erase a prefix"));
      }
    }
    return Concurrently.map(listPrefix(prefix), ERASURES, this::erase).then();
  }

  @Override
  public Flux<StoreKey> list() {
    return overrides("listPrefix", StorePrefix.class)
        ? listPrefix(StorePrefix.ROOT)
        : Flux.error(this::listsNothing);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return overrides("list") ? list().filter(prefix::contains) : Flux.error(this::listsNothing);
  }

  @Override
  public Flux<ListEntry> listDir(StorePrefix prefix) {
    return Fallbacks.entries(prefix, listPrefix(prefix));
  }

  @Override
  public Mono<Void> close() {
    return Mono.empty();
  }

  /**
   * The error for an operation that this store cannot do, for a store that refuses one itself, such
   * as a {@code set} with a precondition.
   *
   * @param lacking the capability that the operation needs
   * @param operation the operation in words, such as {@code set a value}
   */
  protected final StoreCapabilityException refusal(
      StoreCapability lacking, String operation, StoreKey key) {
    return lacking.refusal(this, operation, Location.ofKey(key.value()));
  }

  private StoreCapabilityException refusal(StoreCapability lacking, String operation) {
    return lacking.refusal(this, operation, Location.UNKNOWN);
  }

  /**
   * Returns true if the class overrides a listing; each of the two is composed of the other one.
   */
  private boolean overrides(String listing, Class<?>... parameters) {
    try {
      return getClass().getMethod(listing, parameters).getDeclaringClass() != AbstractStore.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e); // the interface declares both
    }
  }

  private StoreException listsNothing() {
    return lacks(StoreCapability.LIST)
        ? refusal(StoreCapability.LIST, "list keys")
        : new StoreException(
            this
                + " has the capability LIST but no listing: its class must override list or"
                + " listPrefix, or leave out the capability",
            Location.UNKNOWN);
  }

  private boolean lacks(StoreCapability capability) {
    return !capabilities().contains(capability);
  }
}
