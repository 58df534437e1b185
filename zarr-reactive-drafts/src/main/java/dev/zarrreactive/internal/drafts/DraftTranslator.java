package dev.zarrreactive.internal.drafts;

import dev.zarrreactive.internal.metadata.Deviations;
import dev.zarrreactive.internal.metadata.DocumentTranslator;
import dev.zarrreactive.internal.metadata.TranslatedHierarchy;
import dev.zarrreactive.json.LocatedJson;

/** Translates the documents of the 2022 and the 2023 draft. */
public final class DraftTranslator implements DocumentTranslator {
  @Override
  public LocatedJson array(LocatedJson document, Deviations deviations) {
    return Draft2023Document.array(document, deviations);
  }

  @Override
  public LocatedJson group(LocatedJson document, Deviations deviations) {
    return Draft2023Document.group(document, deviations);
  }

  @Override
  public boolean isEntryPoint(LocatedJson document) {
    return Draft2022Hierarchy.isEntryPoint(document);
  }

  @Override
  public TranslatedHierarchy hierarchy(LocatedJson entryPoint, Deviations deviations) {
    return Draft2022Hierarchy.read(entryPoint, deviations);
  }
}
