/** Icechunk repositories: each version of one is a store, and sessions commit changes. */
@SuppressWarnings({"module", "requires-automatic"})
module dev.zarrreactive.icechunk {
  requires transitive dev.zarrreactive.format;
  requires transitive dev.zarrreactive.virtual;
  requires com.github.luben.zstd_jni;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.icechunk;

  provides dev.zarrreactive.store.StoreAdapter with
      dev.zarrreactive.icechunk.IcechunkAdapter;
}
