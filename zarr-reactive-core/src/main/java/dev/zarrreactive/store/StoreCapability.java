package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;

/** The capabilities of a store (specification: "Abstract store interface"). */
public enum StoreCapability {
  /** {@code get}. */
  READ,
  /** {@code set}. */
  WRITE,
  /** {@code list}, {@code listPrefix} and {@code listDir}. */
  LIST,
  /** {@code erase} and {@code erasePrefix}. */
  ERASE,
  /** A range is read without reading the whole value. */
  PARTIAL_READ,
  /** {@code setPartialValues} writes a part of a value without writing the whole value. */
  PARTIAL_WRITE,
  /**
   * {@code set} with a {@link Precondition} is atomic; with {@link Precondition#matches} it needs
   * {@link #VERSIONS}, too.
   */
  CONDITIONAL_WRITE,
  /**
   * {@code getVersioned} tells the versions of values, and takes a {@link ReadCondition} other than
   * {@link ReadCondition#ALWAYS}.
   */
  VERSIONS,
  /** {@code erase} of one version is atomic; needs {@link #VERSIONS}, too. */
  CONDITIONAL_ERASE;

  /**
   * Returns the error of {@code store}, which lacks this capability, for an operation that needs
   * it.
   *
   * @param operation the operation in words, such as {@code set a value}
   */
  public StoreCapabilityException refusal(Store store, String operation, Location location) {
    return new StoreCapabilityException(
        store + " cannot " + operation + ": it lacks " + this + "; it has " + store.capabilities(),
        location);
  }
}
