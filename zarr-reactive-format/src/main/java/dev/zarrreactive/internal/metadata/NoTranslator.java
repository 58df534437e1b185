package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.json.LocatedJson;

/** Leaves every document as it is, where no translator is on the path. */
final class NoTranslator implements DocumentTranslator {
  @Override
  public LocatedJson array(LocatedJson document, Deviations deviations) {
    return document;
  }

  @Override
  public LocatedJson group(LocatedJson document, Deviations deviations) {
    return document;
  }

  @Override
  public boolean isEntryPoint(LocatedJson document) {
    return false;
  }

  @Override
  public TranslatedHierarchy hierarchy(LocatedJson entryPoint, Deviations deviations) {
    throw new IllegalArgumentException("not an entry point: " + entryPoint.value());
  }
}
