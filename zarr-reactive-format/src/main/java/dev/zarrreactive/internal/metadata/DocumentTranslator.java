package dev.zarrreactive.internal.metadata;

import dev.zarrreactive.json.LocatedJson;
import java.util.ServiceLoader;

/**
 * Translates documents that follow a draft of Zarr v3 to the forms of Zarr v3. {@link
 * ServiceLoader} finds it. Without one on the path, only documents of Zarr v3 and v2 can be read.
 */
public interface DocumentTranslator {
  /** Leaves every document as it is. */
  DocumentTranslator NONE =
      new DocumentTranslator() {
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
      };

  /** Returns the translator that {@code loader} finds, or {@link #NONE}. */
  static DocumentTranslator find(ClassLoader loader) {
    return ServiceLoader.load(DocumentTranslator.class, loader).findFirst().orElse(NONE);
  }

  /**
   * Returns the document of an array in the forms of Zarr v3, or the same object if it has them
   * already. Tells {@code deviations} of each form that it changes.
   */
  LocatedJson array(LocatedJson document, Deviations deviations);

  /** Returns the document of a group, like {@link #array}. */
  LocatedJson group(LocatedJson document, Deviations deviations);

  /**
   * Returns true if a {@code zarr.json} describes no node, but a hierarchy whose nodes are in other
   * places.
   */
  boolean isEntryPoint(LocatedJson document);

  /**
   * Reads an entry point.
   *
   * @throws dev.zarrreactive.error.MetadataException if it breaks a rule of its draft
   * @throws dev.zarrreactive.error.UnsupportedFeatureException if it has an unknown extension
   */
  TranslatedHierarchy hierarchy(LocatedJson entryPoint, Deviations deviations);
}
