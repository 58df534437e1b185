package dev.zarrreactive.store;

import org.jspecify.annotations.Nullable;

/** Preconditions that ask for no version. */
enum PlainPrecondition implements Precondition {
  NONE,
  ABSENT;

  @Override
  public @Nullable Version version() {
    return null;
  }
}
