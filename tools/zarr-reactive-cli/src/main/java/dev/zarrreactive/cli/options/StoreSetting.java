package dev.zarrreactive.cli.options;

/**
 * A setting of a store.
 *
 * @param option the option on the command line
 * @param reach the stores that it applies to
 * @param name its name in {@link dev.zarrreactive.store.StoreOptions}
 * @param value the value, which may be a secret
 */
record StoreSetting(String option, StoreReach reach, String name, String value) {
  @Override
  public String toString() {
    return option;
  }
}
