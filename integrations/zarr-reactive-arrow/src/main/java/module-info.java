/** Datasets as record batches of Apache Arrow, and chunks as its tensors. */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.arrow {
  requires transitive dev.zarrreactive.dataset;
  requires transitive org.apache.arrow.memory.core;
  requires transitive org.apache.arrow.vector;
  requires static org.jspecify;

  exports dev.zarrreactive.arrow;
}
