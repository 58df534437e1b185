/** Splits of arrays for programs that run on many machines. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.partitioning {
  requires transitive dev.zarrreactive.core;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.partitioning;
}
