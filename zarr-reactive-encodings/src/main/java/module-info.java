/** Formats of elements: NumPy, CSV, JSON and PNG. */
@SuppressWarnings("requires-automatic")
module dev.zarrreactive.encodings {
  requires transitive dev.zarrreactive.core;
  requires static org.jspecify;

  exports dev.zarrreactive.encodings;
}
