import dev.zarrreactive.store.credential.CredentialSourceProvider;

/**
 * What the stores over a network share, whoever sends their requests: options of URLs, credentials
 * that expire, reads that go on after a cut, listings, uploads in parts.
 */
@SuppressWarnings("module")
module dev.zarrreactive.remote {
  requires transitive dev.zarrreactive.store;
  requires java.xml;
  requires static transitive org.jspecify;

  exports dev.zarrreactive.internal.credential to
      dev.zarrreactive.credentials,
      dev.zarrreactive.http,
      dev.zarrreactive.objects,
      dev.zarrreactive.s3;
  exports dev.zarrreactive.internal.objects to
      dev.zarrreactive.azure,
      dev.zarrreactive.gcs,
      dev.zarrreactive.objects,
      dev.zarrreactive.s3;
  exports dev.zarrreactive.internal.transfer to
      dev.zarrreactive.azure,
      dev.zarrreactive.credentials,
      dev.zarrreactive.gcs,
      dev.zarrreactive.http,
      dev.zarrreactive.objects,
      dev.zarrreactive.s3;

  uses CredentialSourceProvider;
}
