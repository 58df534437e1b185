/** What the stores of objects in a cloud share: listings, uploads in parts, conditions, names. */
@SuppressWarnings("module")
module dev.zarrreactive.objects {
  requires transitive dev.zarrreactive.store;
  requires java.xml;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.internal.objects to
      dev.zarrreactive.azure,
      dev.zarrreactive.gcs,
      dev.zarrreactive.s3;
}
