/** Stores in buckets of Google Cloud Storage. */
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.zarrreactive.gcs {
  requires transitive dev.zarrreactive.store;
  requires transitive reactor.netty.http;
  requires com.google.api.client;
  requires com.google.auth;
  requires com.google.auth.oauth2;
  requires dev.zarrreactive.http;
  requires dev.zarrreactive.objects;
  requires dev.zarrreactive.remote;
  requires io.netty.buffer;
  requires io.netty.codec.http;
  requires java.xml;
  requires reactor.netty.core;

  exports dev.zarrreactive.gcs;

  provides dev.zarrreactive.store.StoreProvider with
      dev.zarrreactive.gcs.GcsStoreProvider;
  provides dev.zarrreactive.store.credential.CredentialSourceProvider with
      dev.zarrreactive.gcs.GoogleSourceProvider;
}
