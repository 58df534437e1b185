package dev.zarrreactive.cli;

/**
 * Something that the user tells a store.
 *
 * @param option how the user calls it
 * @param reach which stores it can be for
 * @param name how {@link dev.zarrreactive.store.StoreOptions} call it
 * @param value what may be a secret
 */
record StoreSetting(String option, StoreReach reach, String name, String value) {
  @Override
  public String toString() {
    return option;
  }
}
