/** Meters and observations of operations, with Micrometer. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.micrometer {
  requires transitive dev.zarrreactive.store;
  requires transitive micrometer.core;
  requires transitive micrometer.observation;

  exports dev.zarrreactive.micrometer;
}
