package dev.zarrreactive.store;

import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.StoreCapabilityException;
import java.util.Set;
import java.util.TreeSet;

/** The capabilities of a store (specification: "Abstract store interface"). */
public enum StoreCapability {
  /** {@code get}. */
  READ,
  /** {@code set}. */
  WRITE,
  /** {@code list}, {@code listPrefix} and {@code listDir}. */
  LIST,
  /** {@code erase}, {@code eraseValues} and {@code erasePrefix}. */
  ERASE,
  /** A range is read without reading the whole value. */
  PARTIAL_READ,
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
   * it. Of a store that declares the capability the error says that its class has no operation for
   * it.
   *
   * @param operation the operation in words, such as {@code set a value}
   */
  public StoreCapabilityException refusal(Store store, String operation, Location location) {
    Set<StoreCapability> has = new TreeSet<>(store.capabilities());
    String why =
        has.contains(this)
            ? "it has the capability "
                + this
                + ", but refuses the operation; its class must override it, or leave out the"
                + " capability"
            : "it lacks " + this + "; it has " + has;
    return new StoreCapabilityException(store + " cannot " + operation + ": " + why, location);
  }
}
