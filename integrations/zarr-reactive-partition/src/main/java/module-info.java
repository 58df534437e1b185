/** Arrays and datasets as tables in splits, for engines that compute on many machines. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.partition {
  requires transitive dev.zarrreactive.dataset;
  requires static org.jspecify;

  exports dev.zarrreactive.partition;
}
