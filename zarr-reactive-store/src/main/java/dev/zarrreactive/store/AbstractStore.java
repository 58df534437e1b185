package dev.zarrreactive.store;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.base.StorePrefix;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.error.StoreException;
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
 *   <tr><td>{@code getPartialValues}</td><td>{@code get}, at most 64 at a time</td></tr>
 *   <tr><td>{@code setPartialValues}</td><td>{@code getVersioned} and {@code set} on condition, at
 *       most 64 at a time</td></tr>
 *   <tr><td>{@code eraseValues}</td><td>{@code erase}, at most 64 at a time</td></tr>
 *   <tr><td>{@code erasePrefix}</td><td>{@code listPrefix} and {@code eraseValues}</td></tr>
 *   <tr><td>{@code list}</td><td>{@code listPrefix} of the root</td></tr>
 *   <tr><td>{@code listDir}</td><td>{@code listPrefix}; it remembers the prefixes that it found, at
 *       most 1,048,576</td></tr>
 *   <tr><td>{@code listPrefix}, {@code set}, {@code erase}, also of one version</td><td>nothing:
 *       refused</td></tr>
 *   <tr><td>{@code close}</td><td>nothing: completes</td></tr>
 * </table>
 *
 * <p>A store overrides {@link #get(StoreKey)} and the operations that it supports, and declares
 * them in {@link #capabilities()}, which the fallbacks check first. {@code StoreContract} of the
 * testkit tests it.
 */
@Spi
public abstract class AbstractStore implements Store {
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
      return Mono.error(
          () ->
              unmade(
                  StoreCapability.VERSIONS,
                  "read on condition",
                  "getVersioned(StoreKey, ByteRange, ReadCondition)",
                  Location.ofKey(key.value())));
    }
    return (range == null ? get(key) : get(key, range))
        .map(bytes -> new VersionedBytes(bytes, null));
  }

  @Override
  public Mono<Void> set(StoreKey key, Bytes value, Precondition precondition) {
    return Mono.error(
        () ->
            unmade(
                StoreCapability.WRITE,
                "set a value",
                "set(StoreKey, Bytes, Precondition), which set(StoreKey, Bytes) calls,",
                Location.ofKey(key.value())));
  }

  @Override
  public Mono<Void> set(StoreKey key, Publisher<Bytes> pieces, Precondition precondition) {
    return lacks(StoreCapability.WRITE)
        ? Mono.error(() -> refusal(StoreCapability.WRITE, "set a value", key))
        : Fallbacks.join(this, key, pieces).flatMap(value -> set(key, value, precondition));
  }

  @Override
  public Mono<Void> erase(StoreKey key) {
    return Mono.error(
        () ->
            unmade(
                StoreCapability.ERASE,
                "erase a value",
                "erase(StoreKey)",
                Location.ofKey(key.value())));
  }

  @Override
  public Mono<Void> erase(StoreKey key, Version version) {
    StoreCapability lacking =
        lacks(StoreCapability.ERASE) ? StoreCapability.ERASE : StoreCapability.CONDITIONAL_ERASE;
    return Mono.error(
        () ->
            unmade(
                lacking,
                "erase one version of a value",
                "erase(StoreKey, Version)",
                Location.ofKey(key.value())));
  }

  @Override
  public Mono<Void> erasePrefix(StorePrefix prefix) {
    for (StoreCapability needed : List.of(StoreCapability.ERASE, StoreCapability.LIST)) {
      if (lacks(needed)) {
        return Mono.error(() -> needed.refusal(this, "erase a prefix", Location.UNKNOWN));
      }
    }
    return eraseValues(listPrefix(prefix));
  }

  @Override
  public Flux<StoreKey> list() {
    return listPrefix(StorePrefix.ROOT);
  }

  @Override
  public Flux<StoreKey> listPrefix(StorePrefix prefix) {
    return Flux.error(
        () -> unmade(StoreCapability.LIST, "list keys", "listPrefix", Location.UNKNOWN));
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

  /**
   * Returns the error of an operation that the class does not override: it lacks the capability, or
   * has declared one without an operation.
   *
   * @param methods the methods that the class must override
   */
  private StoreException unmade(
      StoreCapability needed, String operation, String methods, Location location) {
    return lacks(needed)
        ? needed.refusal(this, operation, location)
        : new StoreException(
            this
                + " has the capability "
                + needed
                + " but cannot "
                + operation
                + ": its class must override "
                + methods
                + " or leave out the capability",
            location);
  }

  private boolean lacks(StoreCapability capability) {
    return !capabilities().contains(capability);
  }
}
